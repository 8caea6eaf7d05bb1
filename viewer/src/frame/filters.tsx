import { changeQuery } from './address.ts';

const labels = {
  scenario: 'Scenario',
  collection: 'Collection',
  player: 'Player',
  group: 'Group',
  study: 'Study',
  q: 'Words',
} as const;

interface FiltersProps {
  readonly names: readonly (keyof typeof labels)[];
  readonly query: URLSearchParams;
  readonly children?: preact.ComponentChildren;
}

/** Which episodes: what is written here is in the address, and the server chooses by it. */
export function Filters({ names, query, children }: FiltersProps) {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {names.map((name) => (
        <label key={name}>
          {labels[name]}
          <input
            type="search"
            value={query.get(name) ?? ''}
            onChange={(event) => changeQuery({ [name]: event.currentTarget.value.trim() })}
          />
        </label>
      ))}
      {children}
    </form>
  );
}
