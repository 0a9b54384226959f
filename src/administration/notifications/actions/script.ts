import { isRecord } from '../../../core/lib/checks.ts';
import { type Json, lastValue, type RunScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import type { createHttpAction } from './http-action.ts';
import type { ActionOrder, DeliveryResult } from './order.ts';

/** Characters of a script, which its notification stores. */
export const maxScriptLength = 65_536;
const maxHeaders = 50;
const maxHeaderLength = 4_096;
/** Headers of the connection, and those that say who calls. */
const reserved = /^(?:host|connection|content-length|transfer-encoding|te|upgrade|user-agent|webhook-.*|portico-.*)$/;

/** Message that a script wants to send. */
interface Message {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
}

/** Carries out the script of a notification: it gets the event, and says what is sent where. */
export const createScriptAction =
  (run: RunScript, http: ReturnType<typeof createHttpAction>) =>
  async (order: ActionOrder, script: string, signal: AbortSignal): Promise<DeliveryResult> => {
    try {
      const value = (await run(script, variablesOf(order), [lastValue]))[lastValue];
      const message = messageOf(value ?? null, order);
      if (message === undefined) return { verdict: 'delivered', text: 'The script sent nothing' };
      const { url, method, headers, contentType, body } = message;
      return await http({ ...order, contentType, body }, { url, method }, signal, headers);
    } catch (error) {
      if (!(error instanceof ScriptFails)) throw error;
      return { verdict: 'again', error: 'script', says: `The script failed: ${error.message}` };
    }
  };

/** Variables of the script. The document is that of the event, whatever the form of the body. */
function variablesOf({ event, fields, body, contentType, notificationId, number, trial }: ActionOrder) {
  const field: Json = fields.map(([key, value]) => ({ key, value }));
  const notification = { id: notificationId, attempt: number, test: trial ?? false };
  return { event, document: { field }, body, contentType, notification };
}

/** Undefined: nothing is to be sent. */
function messageOf(value: Json, order: ActionOrder): Message | undefined {
  if (value === null || value === false) return undefined;
  if (!isRecord(value)) throw new ScriptFails('Expected an object, or null to send nothing');
  const { url, method = 'POST', headers, body } = value;
  if (typeof url !== 'string' || !isAddress(url)) {
    throw new ScriptFails('Expected an address in "url" that begins with http:// or https://');
  }
  if (method !== 'POST' && method !== 'PUT') throw new ScriptFails('Expected "POST" or "PUT" in "method"');
  const { 'content-type': named, ...others } = headersOf(headers);
  if (body === undefined)
    return { url, method, headers: others, contentType: named ?? order.contentType, body: order.body };
  const isText = typeof body === 'string';
  const contentType = named ?? (isText ? order.contentType : 'application/json');
  return { url, method, headers: others, contentType, body: isText ? body : JSON.stringify(body) };
}

function headersOf(given: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isRecord(given) ? given : {});
  if (entries.length > maxHeaders) throw new ScriptFails(`Expected at most ${maxHeaders} headers: ${entries.length}`);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const lower = name.toLowerCase();
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(lower) || reserved.test(lower)) {
        throw new ScriptFails(`Expected a header that a script may set: "${name.slice(0, 80)}"`);
      }
      if (typeof value !== 'string' || value.length > maxHeaderLength || /[^\t\x20-\x7e]/.test(value)) {
        throw new ScriptFails(`Expected a text of printable characters in the header "${lower}"`);
      }
      return [lower, value];
    }),
  );
}

const isAddress = (text: string): boolean =>
  text.length <= maxHeaderLength && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
