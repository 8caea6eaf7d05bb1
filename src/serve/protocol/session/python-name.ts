const words = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** A public name of Python, as some clients make functions of tools and show no model what begins with `_`; none that is taken. */
export function pythonName(written: string, taken: ReadonlySet<string>, prefix: string): string {
  let name = written.replaceAll(/\W/g, '_');
  if (/^[\d_]/.test(name) || name === '') name = `${prefix}_${name}`;
  if (words.has(name)) name = `${name}_`;
  let unique = name;
  for (let count = 2; taken.has(unique); count += 1) unique = `${name}_${count}`;
  return unique;
}
