import { render } from 'preact';

import { Page } from './frame/page.tsx';
import { showOnlyVisible } from './text/visible.ts';
import './style.css';

showOnlyVisible();
render(<Page />, document.getElementById('page')!);
