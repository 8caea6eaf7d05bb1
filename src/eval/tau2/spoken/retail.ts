import { valueError } from '../../python/exception.ts';
import { writeJson } from '../../python/json.ts';
import { getItem } from '../../python/operate.ts';
import { str } from '../../python/repr.ts';
import { equal, type PythonDict, type PythonValue } from '../../python/value.ts';
import { found } from '../retail.ts';
import type { World } from '../toolkit.ts';
import {
  calculateTool,
  listSchema,
  oneOfSchema,
  type SpokenTool,
  textSchema,
  transferTool,
  written,
} from './tool.ts';

const orderId = textSchema("The id of the order with its '#', such as '#W0000000'.");
const userId = textSchema("The person's id, such as 'sara_doe_496'.");
const methodId = textSchema(
  "A payment method of the person's profile, such as 'gift_card_0000000' or 'credit_card_0000000'.",
);
const address = {
  address1: textSchema("The first line, such as '123 Main St'."),
  address2: textSchema("The second line, such as 'Apt 1'; may be empty."),
  city: textSchema('The city.'),
  state: textSchema("The state, such as 'CA'."),
  country: textSchema("The country, such as 'USA'."),
  zip: textSchema("The zip code, such as '12345'."),
};
const itemIds = listSchema('The ids of the items, one that is there twice also twice.', { type: 'string' });
const newItemIds = listSchema('The ids of the items in their place, in the same order.', { type: 'string' });

/** The tools of the shop's agent. */
export const retailAgent: Readonly<Record<string, SpokenTool>> = {
  calculate: calculateTool,
  cancel_pending_order: {
    description: 'Cancels an order that is pending. The person must have agreed.',
    parameters: {
      order_id: orderId,
      reason: oneOfSchema('Why.', 'no longer needed', 'ordered by mistake'),
    },
    answer: (_world, _given, came) => written(came),
  },
  exchange_delivered_order_items: {
    description:
      'Exchanges items of a delivered order for others of the same products; once for each order. The person must have agreed.',
    parameters: {
      order_id: orderId,
      item_ids: itemIds,
      new_item_ids: newItemIds,
      payment_method_id: methodId,
    },
    answer: (_world, _given, came) => written(came),
  },
  find_user_id_by_name_zip: {
    description: 'Finds the id of a person by name and zip code. Use it where the e-mail is not known.',
    parameters: {
      first_name: textSchema('First name.'),
      last_name: textSchema('Last name.'),
      zip: textSchema("Zip code, such as '12345'."),
    },
    answer: (world, [first, last, zip]) =>
      idOf(world, (user) => {
        const name = getItem(user, 'name');
        return (
          isSameWord(getItem(name, 'first_name'), first!) &&
          isSameWord(getItem(name, 'last_name'), last!) &&
          equal(getItem(getItem(user, 'address'), 'zip'), zip!)
        );
      }),
  },
  find_user_id_by_email: {
    description: 'Finds the id of a person by e-mail.',
    parameters: { email: textSchema("Such as 'something@example.com'.") },
    answer: (world, [email]) => idOf(world, (user) => isSameWord(getItem(user, 'email'), email!)),
  },
  get_order_details: {
    description: 'Gives the status and all details of an order.',
    parameters: { order_id: orderId },
    answer: (world, [id]) => writeJson(found(world, 'orders', id!)),
  },
  get_product_details: {
    description: 'Gives all variants of a product, with what is available.',
    parameters: {
      product_id: textSchema("The id of the product, such as '6086499569'; not that of an item."),
    },
    answer: (world, [id]) => writeJson(found(world, 'products', id!)),
  },
  get_item_details: {
    description: 'Gives the details of one item.',
    parameters: { item_id: textSchema("The id of the item, such as '6086499569'; not that of a product.") },
    answer: (world, [id]) => writeJson(itemOf(world, id!)),
  },
  get_user_details: {
    description: 'Gives the profile of a person, with their orders.',
    parameters: { user_id: userId },
    answer: (world, [id]) => writeJson(found(world, 'users', id!)),
  },
  list_all_product_types: {
    description: 'Lists all products with their ids.',
    parameters: {},
    answer: ({ agent }) => {
      const products = [...(agent.get('products') as PythonDict).values()];
      const named = products.map(
        (each) => [str(getItem(each, 'name')), getItem(each, 'product_id')] as const,
      );
      return writeJson(new Map(named.toSorted(([a], [b]) => (a < b ? -1 : 1))));
    },
  },
  modify_pending_order_address: {
    description: 'Changes where a pending order is sent. The person must have agreed.',
    parameters: { order_id: orderId, ...address },
    answer: (_world, _given, came) => written(came),
  },
  modify_pending_order_items: {
    description:
      'Changes items of a pending order to others of the same products; once for each order. The person must have agreed.',
    parameters: {
      order_id: orderId,
      item_ids: itemIds,
      new_item_ids: newItemIds,
      payment_method_id: methodId,
    },
    answer: (_world, _given, came) => written(came),
  },
  modify_pending_order_payment: {
    description: 'Changes what a pending order is paid with. The person must have agreed.',
    parameters: { order_id: orderId, payment_method_id: methodId },
    answer: (_world, _given, came) => written(came),
  },
  modify_user_address: {
    description: "Changes the person's own address. The person must have agreed.",
    parameters: { user_id: userId, ...address },
    answer: (_world, _given, came) => written(came),
  },
  return_delivered_order_items: {
    description: 'Takes items of a delivered order back. The person must have agreed.',
    parameters: { order_id: orderId, item_ids: itemIds, payment_method_id: methodId },
    answer: (_world, _given, came) => written(came),
  },
  transfer_to_human_agents: transferTool,
};

function idOf({ agent }: World, isMeant: (user: PythonValue) => boolean): string {
  for (const [id, user] of agent.get('users') as PythonDict) if (isMeant(user)) return id;
  throw valueError('User not found');
}

function itemOf({ agent }: World, id: PythonValue): PythonValue {
  for (const product of (agent.get('products') as PythonDict).values()) {
    const variants = getItem(product, 'variants') as PythonDict;
    const item = typeof id === 'string' ? variants.get(id) : undefined;
    if (item !== undefined) return item;
  }
  throw valueError('Item not found');
}

function isSameWord(left: PythonValue, right: PythonValue): boolean {
  return str(left).toLowerCase() === str(right).toLowerCase();
}
