import { houseMap } from './house-map.ts';
import { seesFaults } from './testing/plant.ts';

const readme = '| folder | what |\n| --- | --- |\n| `src/run/tool` | tools |\n| `bench` | claims |\n';

seesFaults(
  houseMap,
  { 'README.md': readme, 'src/run/tool/a.ts': '', 'src/run/tool/deep/b.ts': '', 'bench/c.ts': '' },
  {
    'a room that the map does not know': [
      { 'src/run/loop/run.ts': '' },
      /src\/run\/loop\/ is not in README’s map/,
    ],
    'a folder at the top that the map does not know': [{ 'extra/x.ts': '' }, /extra\/ is not in/],
    'an entry without a folder': [
      { 'README.md': `${readme}| \`src/run/gone\` | gone |\n` },
      /names src\/run\/gone\//,
    ],
  },
);
