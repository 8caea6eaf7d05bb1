import { addressOf } from '../frame/address.ts';

/** The page of what one player did in one study. */
export function runAddress(study: string, player: string, query: { readonly tab?: string } = {}): string {
  return addressOf(['runs', study, player], query);
}

/** A run as the server is asked for it, and as the address of a comparison has it. */
export function runName(study: string | null | undefined, player: string | null | undefined): string {
  return `${encodeURIComponent(study ?? '')}/${encodeURIComponent(player ?? '')}`;
}

/** The study and the player of a run's name; either may be empty, where all are meant. */
export function readRunName(name: string): { readonly study: string; readonly player: string } {
  const [study = '', player = ''] = name.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { study, player };
}

export function compareAddress(runs: readonly string[]): string {
  return addressOf(['compare'], { run: runs });
}
