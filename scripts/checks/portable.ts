import { type LockPackages, missingPlatformPackages } from '../complete-lock.ts';
import type { Check } from './tree.ts';

const machinePaths = /(?:^|[^A-Za-z0-9_.~/*-])\/(?:work|farm|root|home\/\w+|Users\/\w+|tmp\/\w+)\//;
const isText = /\.(ts|tsx|js|cjs|mjs|json|md|ya?ml|sql|html|css|sh)$|^\.ci\/run$/;

/** Nothing names the machine it was written on; lock files name no download address, and all platforms. */
export const portable: Check = {
  name: 'portable',
  run(tree) {
    const faults: string[] = [];
    const files = tree.files.filter((file) => isText.test(file));
    for (const file of files) {
      const text = tree.text(file);
      if (/(^|\/)package-lock\.json$/.test(file)) {
        if (/"resolved": *"https?:/.test(text)) faults.push(`${file} names download addresses.`);
        const { packages } = JSON.parse(text) as { packages: LockPackages };
        const missing = Object.keys(missingPlatformPackages(packages));
        if (missing.length > 0)
          faults.push(
            `${file} lacks ${missing.length} platform packages (${missing[0]} …): run \`npm run lock\`.`,
          );
        continue;
      }
      // Recordings, scenarios and results are data from elsewhere; what they quote is theirs.
      if (/^(test\/recordings|bench\/results|scenarios)\/|\/fixtures?\//.test(file)) continue;
      const at = text.search(machinePaths);
      if (at >= 0 && !file.startsWith('scripts/checks/'))
        faults.push(`${file}:${tree.lineOf(file, at)} names a path of one machine.`);
    }
    return { read: files.length, faults };
  },
};
