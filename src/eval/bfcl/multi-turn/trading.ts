import { valueError } from '../../python/exception.ts';
import {
  append,
  asNumber,
  contains,
  getItem,
  isGreater,
  isLess,
  iterate,
  operate,
  setItem,
} from '../../python/operate.ts';
import { PythonRandom } from '../../python/random.ts';
import { repr, str } from '../../python/repr.ts';
import { equal, isNumber, isTrue, type PythonDict, type PythonValue } from '../../python/value.ts';
import { type Api, attributes, dict, error, method } from './api.ts';
import { keyed, keyOf, keysOf } from './keyed.ts';
import { attributeOf, dateOf, floatOf } from './text.ts';

/** An account with which stocks are bought and sold. */
export function startTrading(initial: PythonDict): Api {
  const state = attributes(initial, {
    orders: dict({
      12345: order(12345n, 'Buy', 'AAPL', 210.65, 10n, 'Completed'),
      12446: order(12446n, 'Sell', 'GOOG', 2840.56, 5n, 'Pending'),
    }),
    account_info: dict({ account_id: 12345n, balance: 10000, binding_card: 1974202140965533n }),
    authenticated: false,
    market_status: 'Closed',
    order_counter: 12446n,
    stocks: usualStocks(),
    watch_list: ['NVDA'],
    transaction_history: [],
  });
  state.set(
    'orders',
    keyed(state.get('orders') as PythonDict, (key) => /^\d+$/.test(key)),
  );
  const random = new PythonRandom((initial.get('random_seed') as bigint | undefined) ?? 1053520n);
  const orders = () => state.get('orders') as PythonDict;
  const stocks = () => state.get('stocks') as PythonDict;
  const account = () => state.get('account_info')!;
  const watched = () => state.get('watch_list') as PythonValue[];
  const isOpen = (): boolean => isTrue(state.get('authenticated')!);
  const closed = (purpose: string) => error(`User not authenticated. Please log in to ${purpose}.`);
  const noOrder = (id: PythonValue) => `Order with ID ${str(id)} not found.`;

  function book(type: string, operator: '+=' | '-=', amount: PythonValue): PythonValue {
    const balance = operate(operator, getItem(account(), 'balance'), amount);
    setItem(account(), 'balance', balance);
    append(state.get('transaction_history')!, dict({ type, amount, timestamp: timestamp(random) }));
    return balance;
  }

  function price(symbol: PythonValue): PythonValue {
    const stock = contains(stocks(), symbol) ? getItem(stocks(), symbol) : undefined;
    return (stock as PythonDict | undefined)?.get('price') ?? 0n;
  }

  return {
    state: () => state,
    methods: {
      get_current_time: method([], () => dict({ current_time: '10:30 AM' })),
      update_market_status: method(['current_time_str'], (time = null) => {
        const minutes = minutesOf(time);
        const status = minutes >= 9 * 60 + 30 && minutes <= 16 * 60 ? 'Open' : 'Closed';
        state.set('market_status', status);
        return dict({ status });
      }),
      get_symbol_by_name: method(['name'], (name = null) =>
        dict({ symbol: contains(symbols, name) ? getItem(symbols, name) : 'Stock not found' }),
      ),
      get_stock_info: method(['symbol'], (symbol = null) =>
        contains(stocks(), symbol)
          ? getItem(stocks(), symbol)
          : error(`Stock with symbol '${str(symbol)}' not found.`),
      ),
      get_order_details: method(['order_id'], (id = null) => {
        const known = repr(keysOf(orders()));
        return orders().get(keyOf(id)) ?? error(`${noOrder(id)}Here is the list of orders_id: ${known}`);
      }),
      cancel_order: method(['order_id'], (id = null) => {
        const found = orders().get(keyOf(id));
        if (found === undefined) return error(noOrder(id));
        if (getItem(found, 'status') === 'Completed')
          return error(`Can't cancel order ${str(id)}. Order is already completed.`);
        setItem(found, 'status', 'Cancelled');
        return dict({ order_id: id, status: 'Cancelled' });
      }),
      place_order: method(
        ['order_type', 'symbol', 'price', 'amount'],
        (type = null, symbol = null, given = null, amount = null) => {
          if (!isOpen()) return closed('place an order');
          if (!contains(stocks(), symbol)) return error(`Invalid stock symbol: ${str(symbol)}`);
          if (!isGreater(given, 0n) || !isGreater(amount, 0n))
            return error('Price and amount must be positive values.');
          const at = floatOf(given);
          const id = state.get('order_counter')!;
          orders().set(keyOf(id), order(id, type, symbol, at, amount, 'Open'));
          state.set('order_counter', operate('+=', id, 1n));
          return dict({ order_id: id, order_type: type, status: 'Pending', price: at, amount });
        },
      ),
      withdraw_funds: method(['amount'], (amount = null) => {
        if (!isOpen()) return closed('make a transaction');
        if (state.get('market_status') !== 'Open')
          return error('Market is closed. Transactions are not allowed.');
        if (!isGreater(amount, 0n)) return error('Transaction amount must be positive.');
        if (isGreater(amount, getItem(account(), 'balance')))
          return error('Insufficient funds for withdrawal.');
        return dict({ status: 'Withdrawal successful', new_balance: book('withdrawal', '-=', amount) });
      }),
      get_account_info: method([], () => (isOpen() ? account() : closed('view account information'))),
      trading_login: method(['username', 'password'], () => {
        if (isOpen()) return dict({ status: 'Already logged in' });
        state.set('authenticated', true);
        return dict({ status: 'Logged in successfully' });
      }),
      trading_get_login_status: method([], () => dict({ status: isOpen() })),
      trading_logout: method([], () => {
        if (!isOpen()) return dict({ status: 'No user is currently logged in' });
        state.set('authenticated', false);
        return dict({ status: 'Logged out successfully' });
      }),
      fund_account: method(['amount'], (amount = null) => {
        if (!isOpen()) return closed('fund the account');
        if (!isGreater(amount, 0n)) return error('Funding amount must be positive.');
        return dict({ status: 'Account funded successfully', new_balance: book('deposit', '+=', amount) });
      }),
      remove_stock_from_watchlist: method(['symbol'], (symbol = null) => {
        if (!isOpen()) return closed('modify the watchlist');
        const at = watched().findIndex((each) => equal(each, symbol));
        if (at < 0) return error(`Stock ${str(symbol)} not found in watchlist.`);
        watched().splice(at, 1);
        return dict({ status: `Stock ${str(symbol)} removed from watchlist successfully.` });
      }),
      get_watchlist: method([], () =>
        isOpen()
          ? dict({ watchlist: watched() })
          : ['Error: User not authenticated. Please log in to view the watchlist.'],
      ),
      get_order_history: method([], () =>
        isOpen() ? dict({ history: keysOf(orders()) }) : [closed('view order history')],
      ),
      get_transaction_history: method(
        [
          ['start_date', null],
          ['end_date', null],
        ],
        (start = null, end = null) => {
          if (!isOpen()) return [closed('view transaction history')];
          const from = isTrue(start) ? dateOf(start, '%Y-%m-%d') : '';
          const to = isTrue(end) ? dateOf(end, '%Y-%m-%d') : '9999-12-31 23:59:59';
          const within = iterate(state.get('transaction_history')!).filter((each) => {
            const at = dateOf(getItem(each, 'timestamp'), '%Y-%m-%d %H:%M:%S');
            return from <= at && at <= to;
          });
          return dict({ transaction_history: within });
        },
      ),
      get_available_stocks: method(['sector'], (sector = null) =>
        dict({ stock_list: contains(sectors, sector) ? getItem(sectors, sector) : [] }),
      ),
      filter_stocks_by_price: method(
        ['stocks', 'min_price', 'max_price'],
        (given = null, least = null, most = null) =>
          dict({
            filtered_stocks: iterate(given).filter(
              (symbol) => !isLess(price(symbol), least) && !isGreater(price(symbol), most),
            ),
          }),
      ),
      add_to_watchlist: method(['stock'], (stock = null) => {
        if (!contains(watched(), stock) && contains(stocks(), stock)) append(watched(), stock);
        return dict({ symbol: watched() });
      }),
      notify_price_change: method(['stocks', 'threshold'], (given = null, threshold = null) => {
        const changed = iterate(given).filter((symbol) => {
          if (!contains(stocks(), symbol)) return false;
          return !isLess(sizeOf(getItem(getItem(stocks(), symbol), 'percent_change')), threshold);
        });
        return dict({
          notification:
            changed.length > 0
              ? `Stocks ${changed.map(str).join(', ')} have significant price changes.`
              : 'No significant price changes in the selected stocks.',
        });
      }),
    },
  };
}

function order(
  id: PythonValue,
  type: PythonValue,
  symbol: PythonValue,
  price: PythonValue,
  amount: PythonValue,
  status: string,
): PythonDict {
  return dict({ id, order_type: type, symbol, price, amount, status });
}

/** A moment of the day that begins at half past ten on 1 September 2024, which is when all of it happens. */
function timestamp(random: PythonRandom): string {
  const begins = Date.UTC(2024, 8, 1, 10, 30);
  const seconds = random.between(0n, 86_400n);
  return new Date(begins + Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Python's `datetime.strptime(value, "%I:%M %p")` in minutes after midnight. */
function minutesOf(value: PythonValue): number {
  const found = /^(\d{1,2}):(\d{1,2})\s+(am|pm)$/i.exec(attributeOf(value, 'strip'));
  const [hour, minute] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
  if (found === null || hour < 1 || hour > 12 || minute > 59)
    throw valueError(`time data ${repr(value)} does not match format '%I:%M %p'`);
  return ((hour % 12) + (found[3]!.toLowerCase() === 'pm' ? 12 : 0)) * 60 + minute;
}

function sizeOf(value: PythonValue): PythonValue {
  if (!isNumber(value)) return value;
  const number = asNumber(value);
  return number < 0 ? -number : number;
}

function usualStocks(): PythonDict {
  const stock = (price: number, change: number, volume: number, five: number, twenty: number): PythonDict =>
    dict({ price, percent_change: change, volume, 'MA(5)': five, 'MA(20)': twenty });
  return dict({
    AAPL: stock(227.16, 0.17, 2.552, 227.11, 227.09),
    GOOG: stock(2840.34, 0.24, 1.123, 2835.67, 2842.15),
    TSLA: stock(667.92, -0.12, 1.654, 671.15, 668.2),
    MSFT: stock(310.23, 0.09, 3.234, 309.88, 310.11),
    NVDA: stock(220.34, 0.34, 1.234, 220.45, 220.67),
    ALPH: stock(1320.45, -0.08, 1.567, 1321.12, 1325.78),
    OMEG: stock(457.23, 0.12, 2.345, 456.78, 458.12),
    QUAS: stock(725.89, -0.03, 1.789, 726.45, 728),
    NEPT: stock(88.34, 0.19, 0.654, 88.21, 88.67),
    SYNX: stock(345.67, 0.11, 2.112, 345.34, 346.12),
    ZETA: stock(22.09, -0.05, 0.789, 22.12, 22.34),
  });
}

const symbols: PythonDict = dict({
  Apple: 'AAPL',
  Google: 'GOOG',
  Tesla: 'TSLA',
  Microsoft: 'MSFT',
  Nvidia: 'NVDA',
  'Zeta Corp': 'ZETA',
  'Alpha Tech': 'ALPH',
  'Omega Industries': 'OMEG',
  'Quasar Ltd.': 'QUAS',
  'Neptune Systems': 'NEPT',
  'Synex Solutions': 'SYNX',
  Amazon: 'AMZN',
  Gorilla: 'GORI',
});

const sectors: PythonDict = dict({
  Technology: ['AAPL', 'GOOG', 'MSFT', 'NVDA'],
  Automobile: ['TSLA', 'F', 'GM'],
});
