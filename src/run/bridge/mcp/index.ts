export type { McpToolSettings } from './as-tool.ts';
export type { McpAnswer, McpElicit, McpQuestion } from './elicit.ts';
export type { CredentialStore, McpAuthorization } from './oauth/setting.ts';
export { mcpTools } from './mcp-tools.ts';
export type { McpOptions, McpTools } from './mcp-tools.ts';
export type { HttpServer, McpServerSetting, StdioServer } from './server-setting.ts';
export { serveMcp } from './serve-mcp.ts';
export type { McpServing, ServeMcpOptions } from './serve-mcp.ts';
export type { McpProblem } from './tool-list.ts';
