export interface Item {
  id: string;
  /** @minimum 1 @integer */
  count?: number;
}

/**
 * Prices of some items on one day.
 * @param date ISO date
 */
export async function prices(
  items: Item[],
  date: string,
  currency: 'EUR' | 'USD' = 'EUR',
): Promise<string[]> {
  return items.map(({ id, count = 1 }) => `${date}: ${count} × ${id} = ${count * 3} ${currency}`);
}
