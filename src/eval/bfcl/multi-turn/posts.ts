import { append, contains, extend, getItem, iterate, lower, operate } from '../../python/operate.ts';
import { str } from '../../python/repr.ts';
import { equal, isTrue, type PythonDict, type PythonValue } from '../../python/value.ts';
import { type Api, attributes, dict, error, method } from './api.ts';
import { keyed, keyOf } from './keyed.ts';

/** Posts of a social network, which may be answered and posted again. */
export function startPosts(initial: PythonDict): Api {
  const state = attributes(initial, {
    username: 'john',
    password: 'john123',
    authenticated: false,
    tweets: new Map(),
    comments: new Map(),
    retweets: new Map(),
    following_list: ['alice', 'bob'],
    tweet_counter: 0n,
  });
  state.set(
    'tweets',
    keyed(state.get('tweets') as PythonDict, () => true),
  );
  // Comments that are there from the start stay under texts, where no number finds them.
  state.set(
    'comments',
    keyed(state.get('comments') as PythonDict, () => false),
  );
  const table = (name: 'tweets' | 'comments' | 'retweets') => state.get(name) as PythonDict;
  const following = () => state.get('following_list') as PythonValue[];
  const isOpen = (): boolean => isTrue(state.get('authenticated')!);
  const closed = (verb: string) => error(`User not authenticated. Please authenticate before ${verb}.`);
  const missing = (id: PythonValue) => error(`Tweet with ID ${str(id)} not found.`);
  const tweet = (id: PythonValue) => table('tweets').get(keyOf(id));
  const by = (name: PythonValue) =>
    [...table('tweets').values()].filter((each) => equal(getItem(each, 'username'), name));

  return {
    state: () => state,
    methods: {
      authenticate_twitter: method(['username', 'password'], (username = null, password = null) => {
        const isRight = equal(username, state.get('username')!) && equal(password, state.get('password')!);
        if (isRight) state.set('authenticated', true);
        return dict({ authentication_status: isRight });
      }),
      posting_get_login_status: method([], () => dict({ login_status: isOpen() })),
      post_tweet: method(
        ['content', ['tags', null], ['mentions', null]],
        (content = null, tags = null, mentions = null) => {
          if (!isOpen()) return closed('posting');
          const id = state.get('tweet_counter')!;
          const posted = dict({
            id,
            username: state.get('username')!,
            content,
            tags: tags ?? [],
            mentions: mentions ?? [],
          });
          table('tweets').set(keyOf(id), posted);
          state.set('tweet_counter', operate('+=', id, 1n));
          return posted;
        },
      ),
      retweet: method(['tweet_id'], (id = null) => {
        if (!isOpen()) return closed('retweeting');
        if (tweet(id) === undefined) return missing(id);
        const name = str(state.get('username')!);
        const mine = (table('retweets').get(name) as PythonValue[] | undefined) ?? [];
        table('retweets').set(name, mine);
        if (contains(mine, id)) return dict({ retweet_status: 'Already retweeted' });
        append(mine, id);
        return dict({ retweet_status: 'Successfully retweeted' });
      }),
      comment: method(['tweet_id', 'comment_content'], (id = null, content = null) => {
        if (!isOpen()) return closed('commenting');
        if (tweet(id) === undefined) return missing(id);
        const said = (table('comments').get(keyOf(id)) as PythonValue[] | undefined) ?? [];
        table('comments').set(keyOf(id), said);
        append(said, dict({ username: state.get('username')!, content }));
        return dict({ comment_status: 'Comment added successfully' });
      }),
      mention: method(['tweet_id', 'mentioned_usernames'], (id = null, names = null) => {
        const found = tweet(id);
        if (found === undefined) return missing(id);
        extend(getItem(found, 'mentions'), iterate(names));
        return dict({ mention_status: 'Users mentioned successfully' });
      }),
      follow_user: method(['username_to_follow'], (name = null) => {
        if (!isOpen()) return closed('following');
        if (contains(following(), name)) return dict({ follow_status: false });
        append(following(), name);
        return dict({ follow_status: true });
      }),
      list_all_following: method([], () =>
        isOpen() ? dict({ following_list: following() }) : closed('listing following'),
      ),
      unfollow_user: method(['username_to_unfollow'], (name = null) => {
        if (!isOpen()) return closed('unfollowing');
        const at = following().findIndex((each) => equal(each, name));
        if (at >= 0) following().splice(at, 1);
        return dict({ unfollow_status: at >= 0 });
      }),
      get_tweet: method(['tweet_id'], (id = null) => tweet(id) ?? missing(id)),
      get_user_tweets: method(['username'], (name = null) => by(name)),
      search_tweets: method(['keyword'], (keyword = null) =>
        [...table('tweets').values()].filter(
          (each) =>
            contains(lower(getItem(each, 'content')), lower(keyword)) ||
            contains(iterate(getItem(each, 'tags')).map(lower), lower(keyword)),
        ),
      ),
      get_tweet_comments: method(['tweet_id'], (id = null) =>
        tweet(id) === undefined ? missing(id) : (table('comments').get(keyOf(id)) ?? []),
      ),
      get_user_stats: method(['username'], (name = null) =>
        dict({
          tweet_count: BigInt(by(name).length),
          following_count: equal(name, state.get('username')!) ? BigInt(following().length) : 0n,
          retweet_count: BigInt(iterate(table('retweets').get(str(name)) ?? []).length),
        }),
      ),
    },
  };
}
