import type { JsonObject } from '../../../base/json/value.ts';
import { text, name, record, listOf } from './piece.ts';

/** The format of `collection.yaml`. */
export const collectionSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://whetstone.dev/collection.schema.json',
  title: 'Whetstone collection',
  ...record({
    name: text,
    description: text,
    splits: record({ train: listOf(name), validation: listOf(name), test: listOf(name) }),
  }),
};
