import { InvalidArgumentError } from 'commander';

export function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function atLeastOne(text: string): number {
  const number = whole(text);
  if (number === 0) throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  }
  return Number(text);
}

export function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < 1e6)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

export function share(text: string): number {
  const number = Number(text);
  if (text === '' || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return number;
}
