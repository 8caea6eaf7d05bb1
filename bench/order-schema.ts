/** The schema that the schema claims measure: one tool as people write them, in the words of each library. */
export const pattern = { email: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', sku: '^[A-Z0-9-]+$', zip: '^\\d{4,6}$' };

/** As plain JSON Schema; a mark makes its content one of its own. */
export function plainOrder(mark = ''): Record<string, unknown> {
  const text = { type: 'string' };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['customer_id', 'items', 'shipping'],
    properties: {
      customer_id: { type: 'string', minLength: 1, maxLength: 64, description: `Customer id${mark}` },
      email: { type: 'string', pattern: pattern.email },
      priority: { enum: ['low', 'normal', 'high', 'urgent'] },
      items: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        items: {
          type: 'object',
          required: ['sku', 'quantity', 'price'],
          properties: {
            sku: { type: 'string', pattern: pattern.sku },
            quantity: { type: 'integer', minimum: 1, maximum: 999 },
            price: { type: 'number', minimum: 0 },
            tags: { type: 'array', maxItems: 10, items: text },
          },
        },
      },
      shipping: {
        type: 'object',
        required: ['street', 'city', 'zip', 'country'],
        properties: {
          street: text,
          city: text,
          zip: { type: 'string', pattern: pattern.zip },
          country: { type: 'string', minLength: 2, maxLength: 2 },
        },
      },
      notes: { type: 'string', maxLength: 500 },
      gift: { type: 'boolean' },
    },
  };
}

/** A small tool, as most are. */
export function plainForecast(mark: string): Record<string, unknown> {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['city'],
    properties: {
      city: { type: 'string', description: `City${mark}` },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      days: { type: 'integer', minimum: 1, maximum: 14 },
    },
  };
}

/** What a schema of Zod needs to offer here; its types are not at hand where it is not installed. */
interface ZodLike {
  object(shape: object): ZodSchema;
  string(): ZodSchema;
  number(): ZodSchema;
  boolean(): ZodSchema;
  enum(values: readonly string[]): ZodSchema;
  array(item: ZodSchema): ZodSchema;
  toJSONSchema(schema: ZodSchema): object;
}

interface ZodSchema {
  min(count: number): ZodSchema;
  max(count: number): ZodSchema;
  length(count: number): ZodSchema;
  int(): ZodSchema;
  regex(expression: RegExp): ZodSchema;
  optional(): ZodSchema;
  describe(text: string): ZodSchema;
  safeParse(value: unknown): { readonly success: boolean };
}

export type Zod = { readonly z: ZodLike };

export function zodOrder({ z }: Zod): ZodSchema {
  const line = z.object({
    sku: z.string().regex(new RegExp(pattern.sku)),
    quantity: z.number().int().min(1).max(999),
    price: z.number().min(0),
    tags: z.array(z.string()).max(10).optional(),
  });
  return z.object({
    customer_id: z.string().min(1).max(64).describe('Customer id'),
    email: z.string().regex(new RegExp(pattern.email)).optional(),
    priority: z.enum(['low', 'normal', 'high', 'urgent']).optional(),
    items: z.array(line).min(1).max(50),
    shipping: z.object({
      street: z.string(),
      city: z.string(),
      zip: z.string().regex(new RegExp(pattern.zip)),
      country: z.string().length(2),
    }),
    notes: z.string().max(500).optional(),
    gift: z.boolean().optional(),
  });
}

export const goodOrder = {
  customer_id: 'cus_123456',
  email: 'a.person@example.com',
  priority: 'high',
  items: Array.from({ length: 4 }, (_, n) => ({
    sku: `ABC-${n}00`,
    quantity: n + 1,
    price: 9.99 * (n + 1),
    tags: ['a', 'b'],
  })),
  shipping: { street: 'Main St 1', city: 'Bern', zip: '3000', country: 'CH' },
  notes: 'leave at the door',
  gift: false,
};

export const badOrder = {
  ...goodOrder,
  priority: 'asap',
  items: goodOrder.items.map((item, n) => (n === 2 ? { ...item, quantity: 0 } : item)),
};
