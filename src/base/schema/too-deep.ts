/** Undefined where the stack does not reach: a recursive schema sets no end to how deep a value is nested. */
export function unlessTooDeep<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
