// For what checks seldom, and in the middle of work that does not wait: the schema library, a third of all modules of a
// server, is loaded when the first value is checked.
import { loadBeside } from '../../host/load-beside.ts';
import { checkValue, holds, loadCheckerBy } from './check.ts';

loadCheckerBy(() => loadBeside(import.meta.url, './checker'));

export { checkValue, holds };
