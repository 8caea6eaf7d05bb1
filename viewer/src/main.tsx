import { render } from 'preact';

import { Page } from './frame/page.tsx';
import './style.css';

render(<Page />, document.getElementById('page')!);
