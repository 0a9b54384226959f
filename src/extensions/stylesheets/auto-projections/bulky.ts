import { bulkyKeys, pairOf, valuesOfKeys } from '../../../assets/items/public.ts';
import { runScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import type { Reader } from '../../../core/store/statement.ts';

/** Limits for one rule: scripts have little memory, and the result of a step has a maximum length. */
const mostKeys = 1000;
const mostValues = 5000;

/** Runs in the sandbox: the regular expression of a user may never end. */
const matching = 'const form = new RegExp("^(?:" + pattern + ")$"); keys = keys.filter((key) => form.test(key));';

/** Bulky metadata with matching keys. `target`: type and id of the owner. */
export async function bulkyFor(reader: Reader, target: string, pattern: string | undefined) {
  const [type = '', id = ''] = target.split(' ');
  const rows = await bulkyKeys(reader, { type, id, limit: mostKeys + 1 });
  if (rows.length > mostKeys) throw tooMuch(`${mostKeys} keys`);
  const keys = await matchingKeys(
    rows.map(({ key }) => key),
    pattern,
  );
  const values = await valuesOfKeys(reader, { type, id, keys, limit: mostValues + 1 });
  if (values.length > mostValues) throw tooMuch(`${mostValues} values of the keys that bulkyMetadataKeysRegex matches`);
  return { field: values.map(pairOf), id };
}

async function matchingKeys(keys: readonly string[], pattern: string | undefined): Promise<readonly string[]> {
  if (pattern === undefined || pattern === '.*') return keys;
  try {
    return (await runScript(matching, { keys, pattern }, ['keys']))['keys'] as readonly string[];
  } catch (error) {
    if (error instanceof ScriptFails) throw new ScriptFails(`In bulkyMetadataKeysRegex: ${error.message}`);
    throw error;
  }
}

const tooMuch = (most: string): ScriptFails =>
  new ScriptFails(`Expected bulky metadata of at most ${most}: found more`);
