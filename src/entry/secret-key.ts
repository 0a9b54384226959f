import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../composition/settings.ts';
import { toBase64 } from '../core/lib/bytes.ts';
import { systemRandom } from '../core/lib/random.ts';
import { Secret } from '../core/lib/secret.ts';
import { databaseCode, StoreStartError } from '../core/store/faults.ts';

const keyBytes = 32;
const fileName = 'secret.key';

export const secretKeyPath = ({ root }: Pick<Settings, 'root'>): string => join(root, fileName);

/**
 * The key under which secrets are stored: the setting, else a file beside the database that only its owner can read.
 * A database on a server is shared: a key that one machine makes up would lock out the others, so there is none.
 */
export async function secretKeyOf(settings: Settings): Promise<Secret | undefined> {
  const { secretKey, database, root } = settings;
  if (secretKey !== undefined) return secretKey;
  if (database === 'memory:') return newKey();
  if (database !== '' && !database.startsWith('file:')) return undefined;
  const path = secretKeyPath(settings);
  return (await readKey(path)) ?? (await makeKey(root, path));
}

/** The key that is there: none is made. */
export const presentSecretKey = async (settings: Settings): Promise<Secret | undefined> =>
  settings.secretKey ?? readKey(secretKeyPath(settings));

const newKey = (): Secret => new Secret(toBase64(systemRandom.bytes(keyBytes)));

async function readKey(path: string): Promise<Secret | undefined> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (databaseCode(error) === 'ENOENT') return undefined;
    throw new StoreStartError(`Cannot read "${path}": ${databaseCode(error)}`, { cause: error });
  }
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return new Secret(text);
  // A new one in its place would make everything that is stored unreadable for good.
  throw new StoreStartError(`Expected 32 bytes in base64 in "${path}": bring the file back from a backup`);
}

/** Creates the key file. It is renamed into place when complete, unless a concurrent process was faster. */
async function makeKey(root: string, path: string): Promise<Secret> {
  const key = newKey();
  const temporary = `${path}.${toBase64(systemRandom.bytes(6)).replaceAll('/', '_')}`;
  try {
    await mkdir(root, { recursive: true });
    const file = await open(temporary, 'wx', 0o600);
    await file.writeFile(`${key.reveal()}\n`);
    await file.sync();
    await file.close();
    await link(temporary, path);
    return key;
  } catch (error) {
    const other = databaseCode(error) === 'EEXIST' ? await readKey(path) : undefined;
    if (other !== undefined) return other;
    throw new StoreStartError(`Cannot write "${path}": ${databaseCode(error)}`, { cause: error });
  } finally {
    await rm(temporary, { force: true });
  }
}
