import { limits } from './limit.ts';
import { between, count, described, label, oneOf, request, type TypeOf } from './shape.ts';

export const filters = {
  'status?': oneOf('open', 'complete'),
  'collection?': label,
  'scenario?': label,
  'version?': label,
  'variant?': count,
  'group?': label,
  'study?': label,
  'player?': described(label, 'By its name.'),
  'q?': described(
    label,
    'Words, and phrases in quotes, that all occur in what was said, called and answered; only ended episodes are found.',
  ),
};

/** Which episodes: those that agree with all that is said. */
export const EpisodeFilter = request(filters);
export type EpisodeFilter = TypeOf<typeof EpisodeFilter>;

/** How many items a page of a list may hold. */
export const pageSize = between(1, limits.pageItems);
