import { writeJson } from '../python/json.ts';
import { round } from '../python/number.ts';
import {
  asNumber,
  contains,
  count,
  getDict,
  getItem,
  isGreater,
  isLess,
  iterate,
  lengthOf,
  lower,
  negate,
  operate,
  sorted,
} from '../python/operate.ts';
import { PythonException } from '../python/exception.ts';
import { str } from '../python/repr.ts';
import { compareText, equal, isTrue, type PythonDict, type PythonValue } from '../python/value.ts';
import type { Data, Tool } from './tool.ts';

const addressParts = ['address1', 'address2', 'city', 'state', 'country', 'zip'];

/** The tools of the shop that the other domain does not have. */
export const retailTools: Readonly<Record<string, Tool>> = {
  cancel_pending_order: { parameters: ['order_id', 'reason'], run: cancelOrder },
  exchange_delivered_order_items: {
    parameters: ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
    run: exchangeItems,
  },
  find_user_id_by_email: {
    parameters: ['email'],
    run({ users }, email = null) {
      for (const [id, user] of users!) {
        if (lower(getItem(user, 'email')) === lower(email)) return id;
      }
      return 'Error: user not found';
    },
  },
  find_user_id_by_name_zip: {
    parameters: ['first_name', 'last_name', 'zip'],
    run({ users }, firstName = null, lastName = null, zip = null) {
      for (const [id, user] of users!) {
        const name = getItem(user, 'name');
        if (
          lower(getItem(name, 'first_name')) === lower(firstName) &&
          lower(getItem(name, 'last_name')) === lower(lastName) &&
          equal(getItem(getItem(user, 'address'), 'zip'), zip)
        ) {
          return id;
        }
      }
      return 'Error: user not found';
    },
  },
  get_order_details: {
    parameters: ['order_id'],
    run: ({ orders }, id = null) =>
      contains(orders!, id) ? writeJson(getItem(orders!, id)) : 'Error: order not found',
  },
  get_product_details: {
    parameters: ['product_id'],
    run: ({ products }, id = null) =>
      contains(products!, id) ? writeJson(getItem(products!, id)) : 'Error: product not found',
  },
  get_user_details: {
    parameters: ['user_id'],
    run: ({ users }, id = null) =>
      contains(users!, id) ? writeJson(getItem(users!, id)) : 'Error: user not found',
  },
  list_all_product_types: {
    parameters: [],
    run({ products }) {
      const types = [...products!.values()].map((product): [string, PythonValue] => [
        getItem(product, 'name') as string,
        getItem(product, 'product_id'),
      ]);
      return writeJson(new Map([...new Map(types)].toSorted(([left], [right]) => compareText(left, right))));
    },
  },
  modify_pending_order_address: {
    parameters: ['order_id', ...addressParts],
    run({ orders }, id = null, ...address) {
      const order = pendingOrder(orders!, id);
      if (typeof order === 'string') return order;
      order.set('address', addressOf(address));
      return writeJson(order);
    },
  },
  modify_pending_order_items: {
    parameters: ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'],
    run: modifyItems,
  },
  modify_pending_order_payment: { parameters: ['order_id', 'payment_method_id'], run: modifyPayment },
  modify_user_address: {
    parameters: ['user_id', ...addressParts],
    run({ users }, id = null, ...address) {
      if (!contains(users!, id)) return 'Error: user not found';
      const user = getDict(users!, id);
      user.set('address', addressOf(address));
      return writeJson(user);
    },
  },
  return_delivered_order_items: {
    parameters: ['order_id', 'item_ids', 'payment_method_id'],
    run: returnItems,
  },
};

function addressOf(parts: readonly PythonValue[]): PythonDict {
  return new Map(addressParts.map((name, index) => [name, parts[index]!]));
}

function pendingOrder(orders: PythonDict, id: PythonValue): PythonDict | string {
  if (!contains(orders, id)) return 'Error: order not found';
  const order = getDict(orders, id);
  return getItem(order, 'status') === 'pending' ? order : 'Error: non-pending order cannot be modified';
}

function methodsOf({ users }: Data, order: PythonDict): PythonDict {
  return getDict(getItem(users!, getItem(order, 'user_id')), 'payment_methods');
}

function changeBalance(method: PythonDict, operator: '+=' | '-=', amount: PythonValue): void {
  method.set('balance', operate(operator, getItem(method, 'balance'), amount));
  method.set('balance', round(asNumber(getItem(method, 'balance') as number), 2));
}

function cancelOrder(data: Data, id: PythonValue = null, reason: PythonValue = null): string {
  const { orders } = data;
  if (!contains(orders!, id)) return 'Error: order not found';
  const order = getDict(orders!, id);
  if (getItem(order, 'status') !== 'pending') return 'Error: non-pending order cannot be cancelled';
  if (!contains(['no longer needed', 'ordered by mistake'], reason)) return 'Error: invalid reason';
  const payments = getItem(order, 'payment_history') as PythonValue[];
  const refunds: PythonValue[] = [];
  for (const payment of payments) {
    const paymentId = getItem(payment, 'payment_method_id');
    const amount = getItem(payment, 'amount');
    refunds.push(
      new Map<string, PythonValue>([
        ['transaction_type', 'refund'],
        ['amount', amount],
        ['payment_method_id', paymentId],
      ]),
    );
    if (contains(paymentId, 'gift_card'))
      changeBalance(getDict(methodsOf(data, order), paymentId), '+=', amount);
  }
  order.set('status', 'cancelled');
  order.set('cancel_reason', reason);
  payments.push(...refunds);
  return writeJson(order);
}

/** What the new items cost more than the old ones, or why they cannot be had. */
function priceDifference(
  { products }: Data,
  order: PythonDict,
  itemIds: PythonValue,
  newItemIds: PythonValue,
): PythonValue {
  const present = iterate(getItem(order, 'items')).map((item) => getItem(item, 'item_id'));
  for (const itemId of iterate(itemIds)) {
    if (count(itemIds, itemId) > count(present, itemId)) return `Error: ${str(itemId)} not found`;
  }
  if (lengthOf(itemIds) !== lengthOf(newItemIds)) {
    return 'Error: the number of items to be exchanged should match';
  }
  let difference: PythonValue = 0n;
  for (const [itemId, newItemId] of pairs(itemIds, newItemIds)) {
    const item = itemOf(order, itemId);
    const variants = getItem(getItem(products!, getItem(item, 'product_id')), 'variants');
    const isAvailable =
      contains(variants, newItemId) && isTrue(getItem(getItem(variants, newItemId), 'available'));
    if (!isAvailable) return `Error: new item ${str(newItemId)} not found or available`;
    const more = operate('-', getItem(getItem(variants, newItemId), 'price'), getItem(item, 'price'));
    difference = operate('+=', difference, more);
  }
  return difference;
}

function pairs(left: PythonValue, right: PythonValue): readonly (readonly [PythonValue, PythonValue])[] {
  const others = iterate(right);
  return iterate(left).map((item, index) => [item, others[index]!]);
}

function itemOf(order: PythonDict, itemId: PythonValue): PythonDict {
  const item = iterate(getItem(order, 'items')).find((each) => equal(getItem(each, 'item_id'), itemId));
  if (item === undefined) throw new PythonException('IndexError', 'list index out of range');
  return item as PythonDict;
}

function exchangeItems(
  data: Data,
  id: PythonValue = null,
  itemIds: PythonValue = null,
  newItemIds: PythonValue = null,
  paymentId: PythonValue = null,
): string {
  const { orders } = data;
  if (!contains(orders!, id)) return 'Error: order not found';
  const order = getDict(orders!, id);
  if (getItem(order, 'status') !== 'delivered') return 'Error: non-delivered order cannot be exchanged';
  const exact = priceDifference(data, order, itemIds, newItemIds);
  if (typeof exact === 'string') return exact;
  const difference = round(asNumber(exact as number), 2);
  const methods = methodsOf(data, order);
  if (!contains(methods, paymentId)) return 'Error: payment method not found';
  const method = getDict(methods, paymentId);
  if (getItem(method, 'source') === 'gift_card' && isLess(getItem(method, 'balance'), difference)) {
    return 'Error: insufficient gift card balance to pay for the price difference';
  }
  order.set('status', 'exchange requested');
  order.set('exchange_items', sorted(itemIds));
  order.set('exchange_new_items', sorted(newItemIds));
  order.set('exchange_payment_method_id', paymentId);
  order.set('exchange_price_difference', difference);
  return writeJson(order);
}

function modifyItems(
  data: Data,
  id: PythonValue = null,
  itemIds: PythonValue = null,
  newItemIds: PythonValue = null,
  paymentId: PythonValue = null,
): string {
  const order = pendingOrder(data.orders!, id);
  if (typeof order === 'string') return order;
  const difference = priceDifference(data, order, itemIds, newItemIds);
  if (typeof difference === 'string') return difference;
  const methods = methodsOf(data, order);
  if (!contains(methods, paymentId)) return 'Error: payment method not found';
  const method = getDict(methods, paymentId);
  const isGiftCard = getItem(method, 'source') === 'gift_card';
  if (isGiftCard && isLess(getItem(method, 'balance'), difference)) {
    return 'Error: insufficient gift card balance to pay for the new item';
  }
  (getItem(order, 'payment_history') as PythonValue[]).push(
    new Map<string, PythonValue>([
      ['transaction_type', isGreater(difference, 0n) ? 'payment' : 'refund'],
      ['amount', isLess(difference, 0n) ? negate(difference) : difference],
      ['payment_method_id', paymentId],
    ]),
  );
  if (isGiftCard) changeBalance(method, '-=', difference);
  for (const [itemId, newItemId] of pairs(itemIds, newItemIds)) {
    const item = itemOf(order, itemId);
    item.set('item_id', newItemId);
    const variants = getItem(getItem(data.products!, getItem(item, 'product_id')), 'variants');
    item.set('price', getItem(getItem(variants, newItemId), 'price'));
    item.set('options', getItem(getItem(variants, newItemId), 'options'));
  }
  order.set('status', 'pending (item modified)');
  return writeJson(order);
}

function modifyPayment(data: Data, id: PythonValue = null, paymentId: PythonValue = null): string {
  const order = pendingOrder(data.orders!, id);
  if (typeof order === 'string') return order;
  const methods = methodsOf(data, order);
  if (!contains(methods, paymentId)) return 'Error: payment method not found';
  const payments = getItem(order, 'payment_history') as PythonValue[];
  if (payments.length > 1 || getItem(getItem(payments, 0n), 'transaction_type') !== 'payment') {
    return 'Error: there should be exactly one payment for a pending order';
  }
  const oldId = getItem(payments[0]!, 'payment_method_id');
  if (equal(oldId, paymentId))
    return 'Error: the new payment method should be different from the current one';
  const amount = getItem(payments[0]!, 'amount');
  const method = getDict(methods, paymentId);
  const isGiftCard = getItem(method, 'source') === 'gift_card';
  if (isGiftCard && isLess(getItem(method, 'balance'), amount)) {
    return 'Error: insufficient gift card balance to pay for the order';
  }
  const transaction = (type: string, to: PythonValue): PythonDict =>
    new Map<string, PythonValue>([
      ['transaction_type', type],
      ['amount', amount],
      ['payment_method_id', to],
    ]);
  payments.push(transaction('payment', paymentId), transaction('refund', oldId));
  if (isGiftCard) changeBalance(method, '-=', amount);
  if (contains(oldId, 'gift_card')) changeBalance(getDict(methods, oldId), '+=', amount);
  return writeJson(order);
}

function returnItems(
  data: Data,
  id: PythonValue = null,
  itemIds: PythonValue = null,
  paymentId: PythonValue = null,
): string {
  const { orders } = data;
  if (!contains(orders!, id)) return 'Error: order not found';
  const order = getDict(orders!, id);
  if (getItem(order, 'status') !== 'delivered') return 'Error: non-delivered order cannot be returned';
  if (!contains(methodsOf(data, order), paymentId)) return 'Error: payment method not found';
  const original = getItem(getItem(getItem(order, 'payment_history'), 0n), 'payment_method_id');
  if (!contains(paymentId, 'gift_card') && !equal(paymentId, original)) {
    return 'Error: payment method should be either the original payment method or a gift card';
  }
  const present = iterate(getItem(order, 'items')).map((item) => getItem(item, 'item_id'));
  for (const itemId of iterate(itemIds)) {
    if (count(itemIds, itemId) > count(present, itemId)) return 'Error: some item not found';
  }
  order.set('status', 'return requested');
  order.set('return_items', sorted(itemIds));
  order.set('return_payment_method_id', paymentId);
  return writeJson(order);
}
