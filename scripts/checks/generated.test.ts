import { errorsPage } from '../errors-page.ts';
import { generated } from './generated.ts';
import { seesFaults } from './testing/plant.ts';

const table =
  "export const errorTable = {\n  // host\n  lost_key: {\n    meaning: 'Lost.',\n    remedy: 'Find it.',\n  },\n} as const satisfies X;\n";

seesFaults(
  generated,
  {
    'src/base/host/errors.ts': table,
    'docs/errors.md': errorsPage([{ code: 'lost_key', room: 'host', meaning: 'Lost.', remedy: 'Find it.' }]),
  },
  {
    'a page that is behind the code': [
      { 'src/base/host/errors.ts': table.replace('Lost.', 'Gone.') },
      /docs\/errors\.md/,
    ],
  },
);
