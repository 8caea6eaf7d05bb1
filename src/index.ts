export { isWhetstoneError, WhetstoneError } from './base/host/errors.ts';
export type { ErrorCode } from './base/host/errors.ts';
