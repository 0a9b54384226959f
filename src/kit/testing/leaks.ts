import { broken } from './result.ts';

const maxDepth = 8;

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
  if (seen.has(value) || depth > maxDepth) return '';
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

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The text itself, and what Base64 makes of it wherever it stands in a longer text. */
function formsOf(secret: string): string[] {
  const inside = [0, 1, 2].map((offset) => {
    const encoded = base64(`${'x'.repeat(offset)}${secret}`).replace(/=+$/, '');
    // The first and the last characters depend on the neighbours.
    return encoded.slice(offset === 0 ? 0 : 4, -2);
  });
  return [secret, encodeURIComponent(secret), ...inside.filter((text) => text.length >= 8)];
}

/** Too short to be told from the words around it. */
const shortest = 6;

/** Breaks the promise when any of the secrets can be read in any of the places. */
export function findLeaks(secrets: readonly string[], places: Readonly<Record<string, unknown>>): void {
  const forms = secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf);
  for (const [place, value] of Object.entries(places)) {
    const text = textOf(value);
    if (forms.some((form) => text.includes(form))) broken(`no secret in ${place}`, 'the secret of a login');
  }
}

const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const;
const listeners = new Set<(output: unknown) => void>();
let original: Partial<Record<(typeof methods)[number], (...output: unknown[]) => void>> = {};

/** Captures all output during the work. Still prints it: a test runner may wait for it. */
export async function printedDuring(work: () => Promise<void>): Promise<unknown[]> {
  const printed: unknown[] = [];
  const listener = (output: unknown) => void printed.push(output);
  if (listeners.size === 0) listen();
  listeners.add(listener);
  try {
    await work();
  } finally {
    listeners.delete(listener);
    if (listeners.size === 0) Object.assign(console, original);
  }
  return printed;
}

/** Once for all suites that run at the same time: each putting back what it found would leave the wrong one. */
function listen(): void {
  original = Object.fromEntries(methods.map((method) => [method, console[method]]));
  for (const method of methods) {
    console[method] = (...output: unknown[]) => {
      for (const listener of listeners) listener(output);
      original[method]?.(...output);
    };
  }
}
