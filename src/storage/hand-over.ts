import type { CoreSettings } from '../core/settings/core.ts';
import { SettingError } from '../core/settings/read.ts';
import type { StorageDriver } from '../spi/index.ts';
import type { StorageSettings } from './settings.ts';

export type SendfileSettings = Pick<StorageSettings, 'sendfile' | 'sendfileLocations'>;

/**
 * The header that names a file of this version to the proxy. Undefined: the proxy does not reach it. Throws as a read of
 * the file does.
 */
export type HandOver = (path: string, version: string) => Promise<Readonly<Record<string, string>> | undefined>;

/** Kept outside of drivers: by a property, a plugin could name any file of the machine. */
const handOvers = new WeakMap<StorageDriver, HandOver>();

export const handOverOf = (driver: StorageDriver): HandOver | undefined => handOvers.get(driver);

export function withHandOver(driver: StorageDriver, handOver: HandOver): StorageDriver {
  handOvers.set(driver, handOver);
  return driver;
}

/** Longest name for a proxy: nginx refuses an answer whose headers exceed 4 KB. */
const maxTargetLength = 1500;

/** The folder and the location of an entry of the setting. */
export function folderAndLocation(entry: string): { readonly folder: string; readonly location: string } {
  const [folder = '', location = ''] = entry.split('=');
  return { folder, location };
}

/** Header for a file by its real path, with "/" between its parts. */
export function sendfileHeader(
  { sendfile, sendfileLocations }: SendfileSettings,
  path: string,
): Readonly<Record<string, string>> | undefined {
  if (sendfile === 'off') return undefined;
  // Some modules of Apache decode the path and others do not: a name that means two files is named to none.
  if (sendfile === 'x-sendfile') return encoded(path) === path ? named(sendfile, path) : undefined;
  const [nearest] = sendfileLocations
    .map(folderAndLocation)
    .filter(({ folder }) => path.startsWith(`${folder}/`))
    .sort((one, other) => other.folder.length - one.folder.length);
  if (!nearest) return undefined;
  const { folder, location } = nearest;
  return named(sendfile, `${location}${encoded(path.slice(folder.length + 1))}`);
}

/** A path whose parts can end neither a header nor the path. */
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

const named = (header: string, target: string): Readonly<Record<string, string>> | undefined =>
  target.length > maxTargetLength ? undefined : { [header]: target };

export function checkSendfile({
  sendfile,
  sendfileLocations,
  trustedProxies,
}: SendfileSettings & Pick<CoreSettings, 'trustedProxies'>): void {
  if (sendfile === 'off') return;
  if (trustedProxies.length === 0) {
    throw new SettingError('Expected PORTICO_TRUSTED_PROXIES with PORTICO_SENDFILE: the proxy that sends the bytes');
  }
  if (sendfile === 'x-accel-redirect' && sendfileLocations.length === 0) {
    throw new SettingError('Expected PORTICO_SENDFILE_LOCATIONS with PORTICO_SENDFILE: folders and their locations');
  }
  const locations = sendfileLocations.map((entry) => folderAndLocation(entry).location);
  // nginx takes the longest location that fits, so one within another would give the bytes of another file.
  const inner = locations.find((one, index) => locations.some((other, at) => at !== index && one.startsWith(other)));
  if (inner !== undefined) {
    throw new SettingError(`Expected locations outside of each other in PORTICO_SENDFILE_LOCATIONS: "${inner}"`);
  }
}
