import { links } from './links.ts';
import { seesFaults } from './testing/plant.ts';

seesFaults(
  links,
  {
    'README.md':
      '# The house\n[docs](docs/a.md) [home](#the-house) [out](https://example.org) [folder](docs/)\n```\n[x](no.md)\n```\n',
    'docs/a.md': '# A: one, two\n[up](../README.md#the-house) [here](#a-one-two)\n',
  },
  {
    'a link that leads nowhere': [{ 'docs/b.md': '[x](gone.md)' }, /gone\.md leads nowhere/],
    'a heading that is gone': [{ 'docs/b.md': '[x](a.md#b)' }, /no heading for a\.md#b/],
  },
);
