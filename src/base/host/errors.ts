/**
 * Every error that Whetstone throws: its code, what it means, and what to do about it.
 * `docs/errors.md` is written from this table; a checker sees that each code is thrown and tested.
 */
const errorTable = {
  // host
  environment_missing: {
    meaning: 'An environment variable that is needed is not set.',
    remedy: 'Set the variable that the message names, or pass the value as an option.',
  },
  header_invalid: {
    meaning:
      'A header has a character that HTTP cannot carry, most often in a key; nothing was sent. The message never shows its value.',
    remedy: 'Set the key or header that the message names again, on one line, without quotes or an “…”.',
  },
  // json
  json_syntax: {
    meaning: 'A text is not JSON: it has a character that cannot be in that place.',
    remedy:
      'Correct the text at the offset that `details` names; `details.expected` says what may come there.',
  },
  json_incomplete: {
    meaning: 'A JSON text ended before its value was complete.',
    remedy: 'Send the rest of the text; if it was cut off for good, use `snapshot()` or `repairJson`.',
  },
  json_limit: {
    meaning: 'A JSON text is deeper, longer or wider than its reader allows.',
    remedy: 'Send less, or raise the limit that `details.limit` names.',
  },
  json_encoding: {
    meaning: 'Bytes that should be JSON are not UTF-8.',
    remedy: 'Encode the text as UTF-8, without a byte order mark.',
  },
  json_reader_closed: {
    meaning:
      'A piece was given to a JSON reader that has ended, has refused its text, or is calling a listener.',
    remedy: 'Make one reader for each text, and push from outside its listeners.',
  },
  json_input: {
    meaning: 'A function of the JSON room was given something of the wrong type.',
    remedy: 'Pass what the message asks for.',
  },
  json_value: {
    meaning:
      'A value is not JSON: it is or holds a function, undefined, NaN, an infinity, a class instance or a cycle.',
    remedy: 'Replace the value at the path that `details` names with plain JSON.',
  },
  json_pointer: {
    meaning: 'A JSON pointer is malformed.',
    remedy: 'Write it as RFC 6901 says: empty, or `/` before each key, with `~0` for `~` and `~1` for `/`.',
  },
  json_repair: {
    meaning: 'Nothing in a text can be read as JSON, however leniently.',
    remedy: 'Show the text to its author, and ask again.',
  },
  json_path: {
    meaning: 'A path to follow in arriving JSON is malformed.',
    remedy: 'Write it as `code`, `items[*].name`, `items[0]`, `*.id` or `["odd key"]`.',
  },
  // eval
  benchmark_data: {
    meaning: 'A folder or file does not hold the data of the benchmark that was asked for.',
    remedy: 'Pass the folder of a checkout of the benchmark; the message names what was looked for.',
  },
  benchmark_line: {
    meaning: 'A line to be graded lacks a field, or a field has the wrong type or an unknown value.',
    remedy: 'Correct the field that the message names.',
  },
  person_failed: {
    meaning:
      'The model that speaks for the person of a benchmark failed: this says nothing about the player.',
    remedy:
      'Run the same command again: what was played is kept. If it fails again, correct `person` in the suite.',
  },
  log_unreadable: {
    meaning:
      'A log or a trajectory of another tool cannot be read: it is cut off, packed in an unknown way, or not a log at all.',
    remedy: 'Look at the place that the message names; if the file is not whole, copy it again.',
  },
  suite_invalid: {
    meaning: 'A suite has a fault, or names something that does not exist.',
    remedy: 'Correct what the message names, in the place that it names.',
  },
  study_mismatch: {
    meaning: 'The folder holds a different study from the one that should continue there.',
    remedy: 'Give the study another folder with `--out`, or the changed player another name.',
  },
  study_unwritten: {
    meaning:
      'The log of a study cannot be written, for example because the disk is full. Nothing that was played is lost.',
    remedy: 'Make room, and run the same command again: it continues where it was stopped.',
  },
  results_invalid: {
    meaning: 'There are no results to calculate statistics from, or one of them is not a result.',
    remedy: 'Correct what the message names: each result has a `task` (a text) and a `reward` from 0 to 1.',
  },
  // cli
  usage: {
    meaning: 'A command was called in a way that it does not understand.',
    remedy: 'Read `whet <command> --help`.',
  },
  // wire
  api_unknown: {
    meaning: 'No adapter has this API name.',
    remedy: 'Use one of the names that the message lists.',
  },
  model_unplaced: {
    meaning: 'A model name does not say who serves it, or names a provider that is not known.',
    remedy: 'Write `provider/model` with one of the providers that the message lists.',
  },
  model_option_invalid: {
    meaning: 'A model was given an option that it does not have.',
    remedy: 'Write it as the message says; options of a request go to the run.',
  },
  base_url_invalid: {
    meaning: 'A base URL is not an address; nothing was sent.',
    remedy:
      'Write it in full, with http:// or https://, in the option or the variable that the message names.',
  },
  event_stream_corrupt: {
    meaning: 'A binary event stream is damaged, or the bytes are not one.',
    remedy: 'Look for a proxy that changes bodies, and ask again.',
  },
  recording_unreadable: {
    meaning: 'What was given to decode is not a recording of a reply.',
    remedy: 'Give a stream as it was sent, a JSON body, or one JSON record per line with `--jsonl`.',
  },
  tool_unfit: {
    meaning: 'A provider cannot take a tool of the request; nothing was sent.',
    remedy:
      "Change what the message names, give the tool to another provider, or set `unfitTools: 'leave-out'`.",
  },
  request_failed: {
    meaning:
      'A request to a provider did not reach it, took too long, or was aborted; `details.error` says which.',
    remedy: 'Check the base URL and the network, raise the time-out that the message names, and ask again.',
  },
  mock_script_invalid: {
    meaning: 'A script for the mock provider has a part that means nothing.',
    remedy: 'Correct the reply that the message names.',
  },
  mock_port_taken: {
    meaning: 'The mock provider cannot listen on its port.',
    remedy: 'Choose another port, or 0 for a free one.',
  },
  mock_exhausted: {
    meaning: 'A scripted model was asked more than its script answers, or something else.',
    remedy: 'Add a reply to the script, loosen a condition, or find out why it was asked again.',
  },
  tool_choice_unknown: {
    meaning: 'A tool choice names a tool that the request does not have.',
    remedy: "Name one of the request's tools, or add the tool.",
  },
  // signature
  signature_file: {
    meaning: 'A file to read signatures from does not exist, or is not TypeScript.',
    remedy: 'Pass the path of a .ts file that exists.',
  },
  signature_refused: {
    meaning:
      'A function or method cannot be a tool: something in its signature cannot be expressed in JSON Schema.',
    remedy:
      'Change what `details.refusals` names, with file and line; or pass `onRefusal` to leave those functions out.',
  },
  signatures_invalid: {
    meaning: 'What was passed as signatures read ahead of time is something else.',
    remedy: 'Import `signatures` from the file that `whet schema tools.ts` wrote, or write that file again.',
  },
  signatures_stale: {
    meaning: 'Signatures that were read ahead of time no longer match the functions.',
    remedy: 'Run `whet schema tools.ts` again and check the file in.',
  },
  instance_missing: {
    meaning:
      'The methods of an exported class should become tools, but the class cannot be constructed without arguments.',
    remedy: 'Make an object of it and pass it to toolsFrom or toolsOf as `instances`.',
  },
  compiler_missing: {
    meaning: 'Signatures cannot be read because the TypeScript compiler is not installed.',
    remedy: 'Install `typescript` 7, or read the signatures ahead of time into a file.',
  },
  // message
  arguments_invalid: {
    meaning: 'The arguments of a call were asked for as an object, but they are not one.',
    remedy: 'Look at `details.reason`; read with `readArguments(call)` if the model should be told.',
  },
  action_without_id: {
    meaning: 'A result was asked for an action that has no callId.',
    remedy: 'Set callId on the action, or make a call of it with asCall(action, id).',
  },
  message_invalid: {
    meaning:
      'A message, call, result or action from outside does not have the form that its schema asks for.',
    remedy: 'Correct the field at details.place: details.expected says what belongs there.',
  },
  halves_apart: {
    meaning: 'Two half-arrived parts were merged, but neither continues the other.',
    remedy: 'Merge the half-arrived messages that hold them: distinct parts then stay separate.',
  },
  half_incomplete: {
    meaning: 'A half-arrived call was completed before its name had arrived.',
    remedy: 'Merge the rest first; if nothing more arrives, complete its message with { cut: true }.',
  },
  keys_invalid: {
    meaning: 'A key, a chord or a list of keys is empty or not text.',
    remedy: 'Pass names of keys, such as "Enter", "ctrl+a" or ["Control", "a"].',
  },
  scroll_invalid: {
    meaning:
      'A scroll cannot be measured: its amount is not a finite number, or its unit needs the size of the screen.',
    remedy: 'Pass a finite amount, and `screen` for the units "norm1000" and "page".',
  },
  point_invalid: {
    meaning: 'A point on a screen is negative or not a number, or a screen has no size.',
    remedy: 'Pass points of two numbers from 0 on, and sizes of at least 1×1.',
  },
  // run/tool
  tool_name_invalid: {
    meaning: 'A tool has a name that no provider accepts.',
    remedy: 'Use a letter or "_" first, then letters, digits, "_" and "-", 64 at most.',
  },
  tool_description_missing: {
    meaning: 'A tool has no description.',
    remedy: 'Say in a sentence what it does and when to use it: the model chooses by it.',
  },
  tool_input_not_object: {
    meaning: 'The input schema of a tool describes something other than an object.',
    remedy: 'Put the value under a name: {"type": "object", "properties": {"value": …}}.',
  },
  tool_invalid: {
    meaning: 'Something among the tools is not a tool: a class, a promise, a function, nothing.',
    remedy: 'The message says what it is and what was probably meant.',
  },
  tool_setting_invalid: {
    meaning: 'A setting of a tool has a value that it cannot have, or a name that means nothing.',
    remedy: 'The message names the setting and what it may be.',
  },
  tool_duplicate: {
    meaning: 'Two tools of one toolbox have the same name.',
    remedy: 'Rename one, or leave it out with `without(name)`.',
  },
  tool_unknown: {
    meaning: 'A tool was asked for by a name that the toolbox does not know.',
    remedy: 'The message lists the names that it knows.',
  },
  tool_failed: {
    meaning: 'A tool that a program called directly said that it could not do what was asked.',
    remedy: 'Read the reason in the message; in a run, the model reads it as a result.',
  },
  command_tool_invalid: {
    meaning: 'A folder is not a command tool: its spec.json or its executable is missing or wrong.',
    remedy: 'The message says which file and what is wrong; `whet tools check FOLDER` shows every fault.',
  },
  // run/loop
  run_option_invalid: {
    meaning: 'A run was given an option that it cannot use, or two that exclude each other.',
    remedy: 'The message names the option and what it may be.',
  },
  model_failed: {
    meaning: 'The model gave no reply: a wrong key, a refused request, a lost connection.',
    remedy: 'See details.kind. details.outcome holds what was reached; its messages can be sent again.',
  },
  output_invalid: {
    meaning:
      'The final answer of a run does not fit the schema it was asked for, even after it was sent back.',
    remedy: 'The message says what does not fit; loosen the schema, or allow more `retries`.',
  },
  price_unknown: {
    meaning: 'A run has a cost limit, but the price of its model is not known.',
    remedy: 'Give `prices` for the model, or limit tokens.',
  },
  approval_stale: {
    meaning:
      'An approval or an answer was given for a call that is not waiting, for other arguments, or twice at once.',
    remedy: 'Show the person what is waiting now (`outcome.waiting`), and let them decide on that.',
  },
  approval_forged: {
    meaning: 'An approval came without the proof that this conversation asked for it.',
    remedy:
      'Send `token` back as it came with the request and the history as it was, and use the same `approvalKey` and `runId`.',
  },
  run_events_gone: {
    meaning: 'The events of a run were asked for after it had ended.',
    remedy: 'Iterate the run before you await it, or listen to its events with `on`.',
  },
  approval_edit_refused: {
    meaning: 'An approval from outside changes arguments that may not be changed.',
    remedy:
      'Set `editable` on the tool, or on the run, to what a person may change (`true`, or names of members); or approve or reject the call as it is.',
  },
  journal_conflict: {
    meaning:
      'A journal holds another run under this id, or one that cannot be read, or one that another process is writing.',
    remedy:
      'Use a new `runId`, or give the run the messages that it began with, and run it in one process at a time.',
  },
  conversation_unknown: {
    meaning: 'No conversation with this id belongs to this owner.',
    remedy: 'Check the id and the owner, or begin a conversation under another id.',
  },
  conversation_conflict: {
    meaning: 'A conversation is already being answered, has been continued elsewhere, or already exists.',
    remedy: 'Wait for the answer and open the conversation again, or choose another id for a fork.',
  },
  // run/bridge
  mcp_server_invalid: {
    meaning: 'The setting of an MCP server says neither how to start it nor where it is, or says it wrongly.',
    remedy: 'Give `command` with `args` and `env`, or `url` with `headers`.',
  },
  mcp_refused: {
    meaning: 'An MCP server did not give a resource or a prompt that it was asked for, or is not known here.',
    remedy: 'Look at what `resources()` and `prompts()` list, and at what the server says.',
  },
  mcp_cannot_ask: {
    meaning:
      'A tool that is served over MCP wanted to ask its client something that the client cannot be asked, or the answer did not fit the question.',
    remedy:
      'Look at `capabilities` of the client before asking, and say what should happen where nobody can be asked.',
  },
  mcp_unauthorized: {
    meaning: 'An MCP server wants an authorization that was not given, or did not accept it.',
    remedy:
      'Give the server `auth` with `open`, or with `clientId` and `clientSecret`; or a header of your own.',
  },
  mcp_unreachable: {
    meaning: 'An MCP server could not be started or reached, or does not speak the protocol.',
    remedy:
      'Run its command by hand, or look at its address; set `optional: true` to go on without it until it is available.',
  },
  agent_unfit: {
    meaning: 'What `operator()` was given is not an agent that it knows.',
    remedy: 'Give an agent of the AI SDK, an `Agent` of `@openai/agents`, or a function.',
  },
  // grade/store
  peer_missing: {
    meaning: 'An optional package that this needs is not installed.',
    remedy: 'Install the package that the message names.',
  },
  store_newer: {
    meaning: 'The store was written by a newer Whetstone.',
    remedy: 'Upgrade Whetstone, or use another file or database.',
  },
  export_invalid: {
    meaning: 'A line of the import is not a record of a Whetstone export.',
    remedy: 'Import a file that `whet store export` wrote, whole and unchanged.',
  },
  store_unavailable: {
    meaning: 'The store cannot be read or written now: a full disk, a lost connection, a damaged file.',
    remedy:
      'Correct what the message names; nothing that was acknowledged is lost, and requests may be repeated.',
  },
  // schema
  schema_invalid: {
    meaning: 'Something given as a schema is not a JSON Schema; `details.path` is the place in it.',
    remedy: 'Correct the keyword that the message names, or leave it out.',
  },
  schema_input: {
    meaning:
      'A function of the schema room was given something of the wrong type, or an option it does not know.',
    remedy: 'Pass what the message asks for.',
  },
  schema_without_json: {
    meaning: 'A schema object from a library has no way to print itself as JSON Schema.',
    remedy: 'Wrap or update it as the message says, or pass plain JSON Schema.',
  },
  schema_not_printable: {
    meaning: 'A schema library could not print a schema as JSON Schema, because part of it is not JSON.',
    remedy: 'Describe that part by what a model can write (a string for a date), and convert it in the tool.',
  },
  schema_not_compiled: {
    meaning: 'The schema library cannot check against this schema.',
    remedy: 'Correct what the message names; `whet schema check` shows it alone.',
  },
  checker_not_loaded: {
    meaning: 'A value was checked before the schema library was loaded.',
    remedy: 'Await `loadChecker()` once before the first check.',
  },
  schema_refused: {
    meaning: 'A provider cannot take this schema in any form; nothing was sent.',
    remedy: 'Change the part that the message names, or give this tool to another provider.',
  },
  dialect_unknown: {
    meaning: 'There is no schema dialect with this name.',
    remedy: 'Use one of the names in the message.',
  },
  plan_invalid: {
    meaning:
      'A plan to encode or decode values is not valid: another version wrote it, or it has been changed since.',
    remedy: 'Make the plan again with `lower` or `whet schema lower`.',
  },
  tool_name_taken: {
    meaning: 'Two tools of one request have the same name.',
    remedy: 'Rename one of them; a toolbox can prefix the names of a server.',
  },
  // grade/episode
  episode_unknown: {
    meaning: 'There is no such episode, or it belongs to another key.',
    remedy: 'Look at the id, and ask with the key that created the episode.',
  },
  episode_complete: {
    meaning: 'A new turn was sent to an episode that has ended.',
    remedy: 'Create a new episode: each sample needs its own.',
  },
  hearing_missing: {
    meaning: 'A scenario needs a model to understand what its person is told, and the server has none.',
    remedy:
      'Start the server with `--hearing provider/model`, or leave `hearing: model` out of the scenario.',
  },
  turn_conflict: {
    meaning: 'The turn was taken by another request, or skips ahead.',
    remedy: 'Read the episode, and continue from the turn that `details.turn` names.',
  },
  fork_refused: {
    meaning:
      'An episode cannot be forked at this turn: the turn does not exist, it ended the episode, or it now comes out differently.',
    remedy: 'Fork it at an earlier turn, as the message says.',
  },
  idempotency_conflict: {
    meaning: 'The idempotency key was used before, with a different request.',
    remedy: 'Use a new key for a new request, and the same key only to repeat one.',
  },
  history_mismatch: {
    meaning: 'The messages look like the history of the episode, but differ from it.',
    remedy: 'Send only what is new, or the history exactly as it was.',
  },
  player_unknown: {
    meaning: 'The server has no player with this name.',
    remedy:
      'Start it with `whet serve --players players.ts`, and name one of the functions that the module exports.',
  },
  task_unknown: {
    meaning: 'The split is not in the collection, or has no task with that index.',
    remedy: 'Use a split and an index that the catalog shows.',
  },
  collection_forbidden: {
    meaning: 'The key is limited to other collections.',
    remedy: 'Use a key that may see this collection.',
  },
  test_not_evaluated: {
    meaning: 'The scenario is in a test split, and the key may not see why a grade is what it is.',
    remedy:
      'Play it as an episode, which is graded once, at its end; or use a key with the right to explain.',
  },
  evaluations_exhausted: {
    meaning: 'The key has had this task evaluated as often as it may.',
    remedy: 'Take another task, or a key with more evaluations (`whet keys create --evaluations 5`).',
  },
  episodes_exhausted: {
    meaning: 'The key already has as many open episodes as it may have.',
    remedy: 'End episodes that are no longer played, or wait until they end by themselves.',
  },
  // serve/server
  request_invalid: {
    meaning: 'A field of the request is missing or has the wrong form.',
    remedy: 'Correct the field that the message names.',
  },
  request_not_json: {
    meaning: 'The body is not JSON in UTF-8, is nested too deeply, or has too many members.',
    remedy: 'Send one JSON object within the limits of the API.',
  },
  request_too_large: {
    meaning: 'The body is larger than the limit.',
    remedy: 'Send less at once.',
  },
  request_forbidden: {
    meaning: 'The request comes from a page of another site, or uses a name this server does not answer to.',
    remedy: 'Use the address that the server printed, or start it with keys.',
  },
  key_refused: {
    meaning: 'The request has no API key, or one that is unknown, expired or revoked.',
    remedy: 'Send `Authorization: Bearer <key>` with a valid key; `whet keys create` makes one.',
  },
  endpoint_unknown: {
    meaning: 'The server has nothing at this path.',
    remedy: '`/api/v1/openapi.json` lists the paths that exist.',
  },
  method_refused: {
    meaning: 'The path is right, but takes another method.',
    remedy: 'Use a method that the `Allow` header names.',
  },
  rate_limited: {
    meaning: 'The key has sent more requests than its limit in this minute.',
    remedy: 'Wait as many seconds as `Retry-After` says.',
  },
  server_busy: {
    meaning: 'More requests are in flight than the server may hold.',
    remedy: 'Ask again after `Retry-After` seconds.',
  },
  server_stopping: {
    meaning: 'The server is stopping: it finishes what it has begun and takes nothing new.',
    remedy: 'Ask again after `Retry-After` seconds, when it or another server is running.',
  },
  address_taken: {
    meaning: 'Another program is listening on that port.',
    remedy: 'Choose another port with `--port`, or stop the other program.',
  },
  address_unusable: {
    meaning:
      'The server cannot listen there: the address does not belong to this machine, or this user may not use the port.',
    remedy: 'Listen on 127.0.0.1, on 0.0.0.0 or on an address of this machine, on a port from 1024.',
  },
  keys_needed: {
    meaning: 'The server would be open to a network without any key.',
    remedy: 'Create a key with `whet keys create`, or listen on 127.0.0.1.',
  },
  // serve/client
  server_unreachable: {
    meaning: 'The server gave no answer or only part of one, or something else answered in its place.',
    remedy: 'Start it with `whet serve`, and check that address and port are right.',
  },
  server_refused: {
    meaning: 'The server answered with an error; `details` holds its status, code and request id.',
    remedy:
      'Do what the message says; for 429 and 503, wait for `details.retry_after` seconds and ask again.',
  },
  // score
  scoring_unknown: {
    meaning: 'There is no such version of the formula.',
    remedy: 'Use a version that the message lists.',
  },
  transcript_unreadable: {
    meaning: 'What was given as a transcript is not one.',
    remedy: 'Give a list of messages with `role` and `content`, or an object with `messages` or `turns`.',
  },
  criterion_unknown: {
    meaning: 'A grade has no criterion with this name.',
    remedy: 'Use a name that the message lists.',
  },
  // scenario
  scenario_invalid: {
    meaning:
      'A scenario cannot be played: its file does not say what a scenario must say, or contradicts itself.',
    remedy: 'Correct the line that the message names; `whet scenario check` shows every fault at once.',
  },
  scenario_unknown: {
    meaning: 'The catalog has no such collection or scenario.',
    remedy: 'Use a name that the message lists, or look at `whet scenario list`.',
  },
  variant_unknown: {
    meaning: 'The scenario has no variant with this number.',
    remedy: 'Use a number from 0 to one less than the count that the message names.',
  },
  play_ended: {
    meaning: 'A turn was played after the end of the play.',
    remedy: 'Start a new play; one that has ended takes no more turns.',
  },
  world_threw: {
    meaning:
      "A tool of a TypeScript world threw while it ran, or did not answer within two seconds: the fault is the scenario's, not the model's.",
    remedy:
      'Correct the world at the line that the message names (`whet scenario check`, the log and `explain` show it; the model is told nothing of it); answer `isError` for what the model did wrong.',
  },
  page_not_shown: {
    meaning: 'The world of a scenario is a page, and no browser can show it here.',
    remedy:
      'Install what the message names on the machine that plays it: `npm install playwright-core @sparticuz/chromium`, or a Chrome or Chromium.',
  },
  // run/computer
  action_invalid: {
    meaning: 'An action on a computer lacks something, or has a value that it cannot have.',
    remedy: 'Write the field that the message names as the message says.',
  },
  action_unsupported: {
    meaning: 'This cannot be done on a computer of this kind.',
    remedy: 'Use another action, or another computer: only a browser has addresses, tabs and elements.',
  },
  action_too_long: {
    meaning:
      'What was asked cannot be done within the time-out: a text, a scroll or a path that is too long.',
    remedy: 'Ask for less at once, within the limit in the message, or raise the time-out.',
  },
  point_outside: {
    meaning: 'A point or a region is not on the screen that the model was shown.',
    remedy: 'Use a point within the bounds that the message names.',
  },
  key_unknown: {
    meaning: 'There is no such key.',
    remedy: 'Name a key as xdotool, OpenAI, Gemini or a browser does: "Return", "ENTER", "ctrl+a".',
  },
  computer_timeout: {
    meaning: 'A call on a computer took longer than allowed; what it had begun was stopped.',
    remedy: 'Look at the screen, then go on; raise the time-out where the page is slow.',
  },
  computer_taken: {
    meaning: 'A person is using the computer: nobody else is answered until they have given it back.',
    remedy: 'Wait until the hand-over has ended, then ask again.',
  },
  computer_lost: {
    meaning: 'The browser, its page or the display has died.',
    remedy:
      'Call again: a browser is started again, at the same address. A display has to be started by hand.',
  },
  computer_missing: {
    meaning: 'A program that a computer needs is not on this machine, or a display does not exist.',
    remedy: 'Install what the message names.',
  },
  computer_option_invalid: {
    meaning: 'A computer was asked for with an option that it cannot have.',
    remedy: 'Write it as the message says.',
  },
  page_unreachable: {
    meaning: 'A page cannot be opened.',
    remedy: 'Check that the address is right and that its server is running.',
  },
  host_refused: {
    meaning: 'The address of a page is not allowed.',
    remedy:
      'Allow its host, and its port where it has one of its own: `--allow HOST[:PORT]`, or the option `allow`.',
  },
  element_missing: {
    meaning: 'No element on the page has this reference.',
    remedy: 'Read the page again, and use a reference from there.',
  },
  script_refused: {
    meaning: 'A model wanted to run a script in the page, but nobody has allowed that.',
    remedy: 'Allow it with `--javascript`, or the option `javascript`.',
  },
  safety_unacknowledged: {
    meaning: 'A call carries a safety check of its provider that nobody has agreed to; nothing was done.',
    remedy: 'Ask a person; with their consent call again with `--acknowledge`.',
  },
  computer_call_unreadable: {
    meaning: 'A text is not a call on a computer as this API writes it.',
    remedy: 'Send the block exactly as the provider sent it.',
  },
  record_unreadable: {
    meaning: 'A folder does not hold a record of a computer that can be replayed.',
    remedy: 'Give the folder that was named with `--out` when it was recorded.',
  },
  departed: {
    meaning: 'An action is not the next one in the record that is being replayed.',
    remedy: "Give the record's next action, which the message names.",
  },
  picture_unreadable: {
    meaning: 'A picture is not a PNG that can be read.',
    remedy: 'Take the picture again.',
  },
} as const satisfies Record<string, { readonly meaning: string; readonly remedy: string }>;

export type ErrorCode = keyof typeof errorTable;

export interface ErrorOptions {
  /** The values that the message speaks of, for programs. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** What every function of this package throws. The message says what happened, with which value, and what to do. */
export class WhetstoneError extends Error {
  override readonly name: string = 'WhetstoneError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** True for an error of ours, by its shape, so that two copies of the package agree. */
export function isWhetstoneError(value: unknown): value is WhetstoneError {
  return value instanceof Error && value.name === 'WhetstoneError' && 'code' in value;
}
