import { Recent } from '../../base/host/recent.ts';

/** The stem of an English word: enough that asks, asked and asking meet; not a dictionary. */
export function stem(word: string): string {
  if (!isWorthKeeping(word)) return stemAnew(word);
  let found = stems.get(word);
  if (found === undefined) {
    const own = ownCopy(word);
    found = stemAnew(own);
    stems.set(own, found);
  }
  return found;
}

const stems = new Recent<string, string>(20_000);

/** Numbers are without end and cost nothing to look at; nor is a word of the language endless. */
export function isWorthKeeping(word: string): boolean {
  return word.length <= 40 && !(word.charCodeAt(0) <= 57);
}

/** A word found in a text may be a window into it: whoever keeps such a word keeps the whole text. */
export function ownCopy(word: string): string {
  return JSON.parse(JSON.stringify(word)) as string;
}

function stemAnew(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return irregular[word] ?? word;
  const known = irregular[word];
  if (known !== undefined) return known;
  let base = word;
  if (base.endsWith('ies') && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(base)) base = base.slice(0, -2);
  else if (base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) base = base.slice(0, -1);
  for (const [ending, instead] of endings) {
    if (!base.endsWith(ending)) continue;
    const rest = base.slice(0, -ending.length);
    if (rest.length < 3 || !/[aeiouy]/.test(rest)) continue;
    if (base.endsWith('eed')) {
      if (!endsInEed.test(base)) base = base.slice(0, -1);
      break;
    }
    base = instead === '' ? undouble(rest) : rest + instead;
    break;
  }
  if (base.length > 5 && base.endsWith('ll')) base = base.slice(0, -1);
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  if (base.length > 3 && base.endsWith('y')) base = `${base.slice(0, -1)}i`;
  return base;
}

const endings: readonly (readonly [string, string])[] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ments', ''],
  ['ment', ''],
  ['ness', ''],
  ['ingly', ''],
  ['edly', ''],
  ['fully', ''],
  ['ing', ''],
  ['ied', 'y'],
  ['ed', ''],
  ['ly', ''],
  ['ful', ''],
];

/** "Proceed" is no past of anything, as "agreed" is. */
const endsInEed = /(?:^(?:bl|br|gr|sp|st|tw)|c|ind)eed$/;

function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

const irregular: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  went: 'go',
  gone: 'go',
  going: 'go',
  goes: 'go',
  does: 'do',
  did: 'do',
  done: 'do',
  doing: 'doing',
  brought: 'bring',
  led: 'lead',
  had: 'have',
  has: 'have',
  having: 'have',
  felt: 'feel',
  took: 'take',
  taken: 'take',
  taking: 'take',
  told: 'tell',
  said: 'say',
  tried: 'try',
  tries: 'try',
  cried: 'cry',
  dried: 'dry',
  fried: 'fry',
  used: 'use',
  likely: 'likely',
  business: 'business',
  statement: 'statement',
  statements: 'statement',
  businesses: 'business',
  witness: 'witness',
  using: 'use',
  saw: 'see',
  seen: 'see',
  hurts: 'hurt',
  fell: 'fall',
  fallen: 'fall',
  broke: 'break',
  broken: 'break',
  began: 'begin',
  begun: 'begin',
  paid: 'pay',
  pays: 'pay',
  paying: 'pay',
  bought: 'bui',
  buy: 'bui',
  buying: 'bui',
  sent: 'send',
  got: 'get',
  gotten: 'get',
  getting: 'get',
  lost: 'los',
  lose: 'los',
  made: 'mak',
  make: 'mak',
  making: 'mak',
  came: 'com',
  come: 'com',
  coming: 'com',
  worse: 'worse',
  worst: 'worse',
  feet: 'foot',
  met: 'meet',
  drove: 'drive',
  driven: 'drive',
  grew: 'grow',
  swollen: 'swell',
  bled: 'bleed',
  lain: 'lie',
  stood: 'stand',
  sat: 'sit',
  rang: 'ring',
  threw: 'throw',
  thrown: 'throw',
  forbidden: 'forbid',
  forbade: 'forbid',
  heard: 'hear',
  meant: 'mean',
  chose: 'choos',
  chosen: 'choos',
  choice: 'choos',
  earnt: 'earn',
  stuck: 'stick',
  struck: 'strik',
  strike: 'strik',
  woke: 'wak',
  woken: 'wak',
  torn: 'tear',
  tore: 'tear',
  caught: 'catch',
  dealt: 'deal',
  built: 'build',
  dealing: 'deal',
  feelings: 'feel',
  aged: 'age',
  owed: 'owe',
  ached: 'ach',
  analyses: 'analysi',
  analysis: 'analysi',
  tying: 'tie',
  halves: 'half',
  knives: 'knif',
  lives: 'liv',
  wives: 'wif',
  children: 'child',
  kids: 'kid',
  men: 'man',
  women: 'woman',
  people: 'people',
  slept: 'sleep',
  left: 'left',
  ate: 'eat',
  eaten: 'eat',
  drank: 'drink',
  drunk: 'drink',
  spoke: 'speak',
  spoken: 'speak',
  wrote: 'writ',
  written: 'writ',
  held: 'hold',
  kept: 'keep',
  gave: 'giv',
  given: 'giv',
  give: 'giv',
  knew: 'know',
  known: 'know',
  thought: 'think',
  ran: 'run',
  sold: 'sell',
  fed: 'feed',
  spent: 'spend',
  hidden: 'hid',
  laid: 'lay',
  sang: 'sing',
  sung: 'sing',
  swam: 'swim',
  flew: 'fly',
  flown: 'fly',
  froze: 'freez',
  frozen: 'freez',
  fought: 'fight',
  sought: 'seek',
  taught: 'teach',
  bent: 'bend',
  bitten: 'bit',
  blew: 'blow',
  blown: 'blow',
  burnt: 'burn',
  crept: 'creep',
  dug: 'dig',
  drew: 'draw',
  drawn: 'draw',
  forgot: 'forget',
  forgotten: 'forget',
  hung: 'hang',
  learnt: 'learn',
  lent: 'lend',
  shook: 'shak',
  shaken: 'shak',
  shown: 'show',
  smelt: 'smell',
  spilt: 'spill',
  sprang: 'spring',
  sprung: 'spring',
  stole: 'steal',
  stolen: 'steal',
  swore: 'swear',
  sworn: 'swear',
  swept: 'sweep',
  understood: 'understand',
  wore: 'wear',
  worn: 'wear',
  won: 'win',
  withdrew: 'withdraw',
  withdrawn: 'withdraw',
  undone: 'undo',
  rode: 'rid',
  ridden: 'rid',
  risen: 'ris',
  shrank: 'shrink',
  shrunk: 'shrink',
  stung: 'sting',
  swung: 'swing',
  became: 'becom',
  sank: 'sink',
  sunk: 'sink',
  bred: 'breed',
  sped: 'speed',
  fled: 'fle',
  mistaken: 'mistak',
  overtook: 'overtak',
  rebuilt: 'rebuild',
  repaid: 'repai',
  found: 'find',
  dying: 'die',
  died: 'die',
  this: 'this',
  his: 'his',
  yes: 'yes',
  its: 'its',
  was: 'was',
  news: 'news',
  here: 'here',
  site: 'site',
  sites: 'site',
});
