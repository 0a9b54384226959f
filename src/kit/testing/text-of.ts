const deepest = 8;

/**
 * Everything readable in a value, as one text: errors with their stacks and causes, maps, sets, bytes and values that
 * JSON leaves out. More than a log would print, so that no log can reveal a secret.
 */
export function textOf(value: unknown): string {
  return read(value, new Set(), 0);
}

function read(value: unknown, seen: Set<unknown>, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '' : String(value);
  if (seen.has(value) || depth > deepest) return '';
  seen.add(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  // A masked text shows its mask, as it would anywhere.
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return String(toJSON.call(value));
  const parts: unknown[] = [];
  if (value instanceof Error) parts.push(value.name, value.message, value.stack, value.cause);
  if (value instanceof Map || value instanceof Headers) for (const [key, entry] of value) parts.push(key, entry);
  if (value instanceof Set) parts.push(...value);
  for (const key of Object.keys(value)) parts.push(key, Reflect.get(value, key));
  return parts.map((part) => read(part, seen, depth + 1)).join(' ');
}
