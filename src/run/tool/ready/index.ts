/** `whetstone/tools`: tools that are ready, with limits: files, a shell, fetching, notes. */
export { fetchTool, type FetchToolOptions } from './fetch-tool.ts';
export { fileTools, type FileToolsOptions } from './file-tools.ts';
export { noteTools, type NoteToolsOptions } from './note-tools.ts';
export { shellTool, type ShellToolOptions } from './shell-tool.ts';
