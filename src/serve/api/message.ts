import { limits } from './limit.ts';
import {
  answer,
  count,
  described,
  flag,
  json,
  list,
  number,
  object,
  oneOf,
  pair,
  request,
  text,
  type TypeOf,
} from './shape.ts';

const toolType = oneOf('artifact', 'decision', 'function');
const role = oneOf('assistant', 'user');

/** Something the model may make, decide or do. */
export const EpisodeTool = answer({
  id: described(text, 'The name to call it by.'),
  type: toolType,
  name: described(text, 'For people.'),
  'description?': text,
  mode: oneOf('json_schema', 'options'),
  'json_schema?': object,
  'options?': list(text),
});
export type EpisodeTool = TypeOf<typeof EpisodeTool>;

/** A call rides on the message that makes it. */
export const ToolCall = answer({
  'type?': toolType,
  name: text,
  input: json,
  'actions?': described(list(object), 'What it asks of a computer, in the same words for every provider.'),
});
export type ToolCall = TypeOf<typeof ToolCall>;

export const Message = answer({ 'role?': role, content: text, 'tool_calls?': list(ToolCall) });
export type Message = TypeOf<typeof Message>;

export const SentCall = request({
  'type?': toolType,
  name: { ...text, maxLength: 1000, description: 'The `id` of the tool.' },
  'input?': described(
    json,
    'What the `json_schema` of the tool asks for; of a decision `{"value": option}`. It is never refused, only graded.',
  ),
});
export type SentCall = TypeOf<typeof SentCall>;

export const SentMessage = request({
  'role?': described(
    role,
    "`assistant` (the default) is the model; `user` is the client's copy of the person's words: kept, neither answered nor graded, and without calls.",
  ),
  'content?': {
    ...text,
    maxLength: limits.messageLength,
    description: 'May be left out if there is a call.',
  },
  'tool_calls?': list(SentCall),
});
export type SentMessage = TypeOf<typeof SentMessage>;

export const messages = list(SentMessage, { minItems: 1, maxItems: limits.members });

const ObservedImage = answer({ title: text, media_type: text, data: described(text, 'base64') });
export type ObservedImage = TypeOf<typeof ObservedImage>;

/** What the person says, in the role `assistant`. */
export const Observation = answer({
  role: oneOf('assistant'),
  content: text,
  'images?': described(
    list(ObservedImage),
    'The pictures among the documents, by the titles of the briefing. Only an opening has them.',
  ),
});
export type Observation = TypeOf<typeof Observation>;

/** The whole of a result that is too long for a list: `GET` it where `href` says. */
const ResultReference = answer({ href: text, bytes: count });
export type ResultReference = TypeOf<typeof ResultReference>;

/** A picture of a result, such as that of a screen. */
const ResultImage = answer({
  media_type: text,
  href: described(
    text,
    'Where it is on this server; in a saved page the picture itself, as a `data:` address.',
  ),
});
export type ResultImage = TypeOf<typeof ResultImage>;

export const resultFields = {
  name: text,
  output: text,
  'is_error?': flag,
  'images?': list(ResultImage),
  'cursor?': described(pair(number), 'Where the pointer was then, in pixels of the picture.'),
  'full?': described(
    ResultReference,
    'In lists of turns, if it is over 8 kB: `output` is only its beginning.',
  ),
};

/** What the scenario's world answered to a call. */
export const ToolResult = answer(resultFields);
export type ToolResult = TypeOf<typeof ToolResult>;
