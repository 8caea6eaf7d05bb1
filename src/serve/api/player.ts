import { described, either, label, map, object, request, type TypeOf } from './shape.ts';

/** Who plays an episode: a model with its prompt and sampling, or any agent, by name. */
export const PlayerCard = request({
  name: label,
  'model?': label,
  'parameters?': described(
    object,
    'Whatever distinguishes it from others: temperature, effort, a hash of its prompt.',
  ),
  'commit?': described(label, 'The version of its code.'),
  'labels?': map(label),
});
export type PlayerCard = TypeOf<typeof PlayerCard>;

/** A card, or a name alone. Every protocol takes it in the header `Whetstone-Player` as well. */
export const Player = either(label, PlayerCard);
