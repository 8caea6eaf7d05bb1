import { names } from './names.ts';
import { seesFaults } from './testing/plant.ts';

seesFaults(
  names,
  {
    'package.json': '{ "exports": { ".": { "whetstone-source": "./src/index.ts" } } }',
    'src/index.ts': 'export const x = 1;',
    'viewer/vite.config.ts': 'export default {};',
  },
  {
    'a default export': [{ 'src/run/tool/tool.ts': 'export default 1;' }, /default export/],
    'a default export by name': [
      { 'src/run/tool/tool.ts': 'const x = 1; export { x as default };' },
      /default export/,
    ],
    'a file that says nothing': [{ 'src/run/tool/utils.ts': 'export const x = 1;' }, /the name says nothing/],
    'a folder that says nothing': [
      { 'src/run/helpers/x.ts': 'export const x = 1;' },
      /the name says nothing/,
    ],
    'a shortcut inside': [{ 'src/run/tool/index.ts': 'export const x = 1;' }, /door of the package/],
  },
);
