export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * An object in which no name stands twice, at any depth: of two values one reader takes the first and another the last.
 * Undefined for anything else.
 */
export function readObject(text: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isJsonObject(value) && !repeatsName(text) ? value : undefined;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own property of an object, without inherited ones. */
export const ownProperty = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Own text of an object, unless it is empty. */
export function ownText(object: JsonObject, name: string): string | undefined {
  const value = ownProperty(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Whether a name is repeated in an object. Only for valid JSON: there a colon outside of texts always follows a name.
 */
function repeatsName(text: string): boolean {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{}:]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token !== ':') last = token;
    else {
      const names = open.at(-1)!;
      const name = JSON.parse(last) as string;
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
