import { valueError } from '../python/exception.ts';
import { make, record } from '../python/model.ts';
import { round } from '../python/number.ts';
import {
  append,
  asNumber,
  contains,
  count,
  extend,
  getDict,
  getItem,
  isGreater,
  isLess,
  iterate,
  lengthOf,
  negate,
  operate,
  sorted,
} from '../python/operate.ts';
import { equal, isTrue, type PythonDict, type PythonValue } from '../python/value.ts';
import { address, orderPayment, retailDatabase } from './retail-model.ts';
import { type DomainRules, noToolkit, type Toolkit, type World } from './toolkit.ts';

const addressParts = ['address1', 'address2', 'city', 'state', 'country', 'zip'];

const tools: Toolkit = {
  reads: [
    'calculate',
    'find_user_id_by_email',
    'find_user_id_by_name_zip',
    'get_item_details',
    'get_order_details',
    'get_product_details',
    'get_user_details',
    'list_all_product_types',
    'transfer_to_human_agents',
  ],
  functions: {},
  writes: {
    cancel_pending_order: { parameters: ['order_id', 'reason'], run: cancelOrder },
    exchange_delivered_order_items: {
      parameters: ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
      run: exchangeItems,
    },
    modify_pending_order_address: {
      parameters: ['order_id', ...addressParts],
      run(world, id = null, ...parts) {
        const order = found(world, 'orders', id);
        requirePending(order);
        order.set('address', addressOf(parts));
        return order;
      },
    },
    modify_pending_order_items: {
      parameters: ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
      run: modifyItems,
    },
    modify_pending_order_payment: { parameters: ['order_id', 'payment_method_id'], run: modifyPayment },
    modify_user_address: {
      parameters: ['user_id', ...addressParts],
      run(world, id = null, ...parts) {
        const user = found(world, 'users', id);
        user.set('address', addressOf(parts));
        return user;
      },
    },
    return_delivered_order_items: {
      parameters: ['order_id', 'item_ids', 'payment_method_id'],
      run: returnItems,
    },
  },
};

/** The shop of tau2. */
export const retail: DomainRules = {
  name: 'retail',
  agentModel: retailDatabase,
  userModel: record({}),
  agent: tools,
  user: noToolkit,
};

const kinds = { users: 'User', orders: 'Order', products: 'Product' } as const;

export function found({ agent }: World, table: keyof typeof kinds, id: PythonValue): PythonDict {
  const records = agent.get(table)!;
  if (!contains(records, id)) throw valueError(`${kinds[table]} not found`);
  return getDict(records, id);
}

function addressOf(parts: readonly PythonValue[]): PythonDict {
  return make(address, Object.fromEntries(addressParts.map((name, index) => [name, parts[index]!])));
}

function requirePending(order: PythonDict): void {
  if (!contains(getItem(order, 'status'), 'pending'))
    throw valueError('Non-pending order cannot be modified');
}

function methodOf(world: World, order: PythonDict, id: PythonValue): PythonDict {
  const methods = getItem(found(world, 'users', getItem(order, 'user_id')), 'payment_methods');
  if (!contains(methods, id)) throw valueError('Payment method not found');
  return getDict(methods, id);
}

function isGiftCard(method: PythonDict): boolean {
  return method.get('source') === 'gift_card';
}

function changeBalance(method: PythonDict, operator: '+=' | '-=', amount: PythonValue): void {
  method.set('balance', operate(operator, getItem(method, 'balance'), amount));
  method.set('balance', round(asNumber(getItem(method, 'balance') as number), 2));
}

function cancelOrder(world: World, id: PythonValue, reason: PythonValue): PythonValue {
  const order = found(world, 'orders', id);
  if (getItem(order, 'status') !== 'pending') throw valueError('Non-pending order cannot be cancelled');
  if (!contains(['no longer needed', 'ordered by mistake'], reason)) throw valueError('Invalid reason');
  const payments = getItem(order, 'payment_history');
  const refunds: PythonValue[] = [];
  for (const each of iterate(payments)) {
    const amount = getItem(each, 'amount');
    const methodId = getItem(each, 'payment_method_id');
    refunds.push(make(orderPayment, { transaction_type: 'refund', amount, payment_method_id: methodId }));
    const method = methodOf(world, order, methodId);
    if (isGiftCard(method)) changeBalance(method, '+=', amount);
  }
  order.set('status', 'cancelled');
  order.set('cancel_reason', reason);
  extend(payments, refunds);
  return order;
}

function requireItems(order: PythonDict, itemIds: PythonValue): void {
  const present = iterate(getItem(order, 'items')).map((item) => getItem(item, 'item_id'));
  for (const itemId of iterate(itemIds)) {
    if (count(itemIds, itemId) > count(present, itemId)) throw valueError('Item not found');
  }
}

function pairs(left: PythonValue, right: PythonValue): readonly (readonly [PythonValue, PythonValue])[] {
  const others = iterate(right);
  return iterate(left).map((item, index) => [item, others[index]!]);
}

function itemOf(order: PythonDict, itemId: PythonValue): PythonDict {
  const item = iterate(getItem(order, 'items')).find((each) => equal(getItem(each, 'item_id'), itemId));
  if (item === undefined) throw valueError('Item not found');
  return item as PythonDict;
}

/** What the new items cost more than the old, and the last of the new ones. */
function difference(
  { agent }: World,
  order: PythonDict,
  wanted: readonly (readonly [PythonValue, PythonValue])[],
): { readonly more: PythonValue; readonly last: PythonDict } {
  let more: PythonValue = 0n;
  let last: PythonDict = new Map();
  for (const [itemId, newItemId] of wanted) {
    const item = itemOf(order, itemId);
    const product = getItem(agent.get('products')!, getItem(item, 'product_id'));
    last = getDict(getItem(product, 'variants'), newItemId);
    if (!isTrue(getItem(last, 'available'))) throw valueError('New item not found or available');
    more = operate('+=', more, operate('-', getItem(last, 'price'), getItem(item, 'price')));
  }
  return { more, last };
}

function exchangeItems(world: World, ...given: PythonValue[]): PythonValue {
  const [id, itemIds, newItemIds, methodId] = given as [PythonValue, PythonValue, PythonValue, PythonValue];
  const order = found(world, 'orders', id);
  if (getItem(order, 'status') !== 'delivered') throw valueError('Non-delivered order cannot be exchanged');
  requireItems(order, itemIds);
  if (lengthOf(itemIds) !== lengthOf(newItemIds))
    throw valueError('The number of items to be exchanged should match');
  const more = round(asNumber(difference(world, order, pairs(itemIds, newItemIds)).more as number), 2);
  const method = methodOf(world, order, methodId);
  if (isGiftCard(method) && isLess(getItem(method, 'balance'), more))
    throw valueError('Insufficient balance');
  order.set('status', 'exchange requested');
  order.set('exchange_items', sorted(itemIds));
  order.set('exchange_new_items', sorted(newItemIds));
  order.set('exchange_payment_method_id', methodId);
  order.set('exchange_price_difference', more);
  return order;
}

function modifyItems(world: World, ...given: PythonValue[]): PythonValue {
  const [id, itemIds, newItemIds, methodId] = given as [PythonValue, PythonValue, PythonValue, PythonValue];
  const order = found(world, 'orders', id);
  if (getItem(order, 'status') !== 'pending') throw valueError('Non-pending order cannot be modified');
  requireItems(order, itemIds);
  if (lengthOf(itemIds) !== lengthOf(newItemIds))
    throw valueError('The number of items to be exchanged should match');
  const wanted = pairs(itemIds, newItemIds);
  if (wanted.some(([old, next]) => equal(old, next)))
    throw valueError('The new item id should be different from the old item id');
  const { more, last } = difference(world, order, wanted);
  const method = methodOf(world, order, methodId);
  if (isGiftCard(method) && isLess(getItem(method, 'balance'), more))
    throw valueError('Insufficient balance');
  append(
    getItem(order, 'payment_history'),
    make(orderPayment, {
      transaction_type: isGreater(more, 0n) ? 'payment' : 'refund',
      amount: isLess(more, 0n) ? negate(more) : more,
      payment_method_id: methodId,
    }),
  );
  if (isGiftCard(method)) changeBalance(method, '-=', more);
  for (const [itemId, newItemId] of wanted) {
    const item = itemOf(order, itemId);
    item.set('item_id', newItemId);
    // The benchmark gives every item the price and options of the last new one.
    item.set('price', getItem(last, 'price'));
    item.set('options', getItem(last, 'options'));
  }
  order.set('status', 'pending (item modified)');
  return order;
}

function modifyPayment(world: World, id: PythonValue, methodId: PythonValue): PythonValue {
  const order = found(world, 'orders', id);
  requirePending(order);
  const method = methodOf(world, order, methodId);
  const payments = getItem(order, 'payment_history') as PythonValue[];
  if (payments.length !== 1 || getItem(payments[0]!, 'transaction_type') !== 'payment') {
    throw valueError('There should be exactly one payment for a pending order');
  }
  const oldId = getItem(payments[0]!, 'payment_method_id');
  if (equal(oldId, methodId)) throw valueError('The new payment method should be different');
  const amount = getItem(payments[0]!, 'amount');
  if (isGiftCard(method) && isLess(getItem(method, 'balance'), amount))
    throw valueError('Insufficient balance');
  extend(payments, [
    make(orderPayment, { transaction_type: 'payment', amount, payment_method_id: methodId }),
    make(orderPayment, { transaction_type: 'refund', amount, payment_method_id: oldId }),
  ]);
  if (isGiftCard(method)) changeBalance(method, '-=', amount);
  const old = methodOf(world, order, oldId);
  if (isGiftCard(old)) changeBalance(old, '+=', amount);
  return order;
}

function returnItems(world: World, ...given: PythonValue[]): PythonValue {
  const [id, itemIds, methodId] = given as [PythonValue, PythonValue, PythonValue];
  const order = found(world, 'orders', id);
  if (getItem(order, 'status') !== 'delivered') throw valueError('Non-delivered order cannot be returned');
  const method = methodOf(world, order, methodId);
  const original = getItem(getItem(getItem(order, 'payment_history'), 0n), 'payment_method_id');
  if (!isGiftCard(method) && !equal(methodId, original)) throw valueError('Not the original payment method');
  requireItems(order, itemIds);
  order.set('status', 'return requested');
  order.set('return_items', sorted(itemIds));
  order.set('return_payment_method_id', methodId);
  return order;
}
