import type { JsonObject } from '../base/json/value.ts';
import type { ProviderData } from '../base/message/part.ts';

/** Fields that only one API knows, kept under its name; nothing where there are none. */
export function providerData(api: string, fields: JsonObject | undefined): ProviderData | undefined {
  return fields === undefined ? undefined : { [api]: fields };
}
