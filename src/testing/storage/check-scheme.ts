import type { Host, StorageScheme } from '../../spi/index.ts';
import { type Backend, testHost } from '../host.ts';
import { broken, type CheckResult, inspect } from '../result.ts';

export interface SchemeUnderTest {
  make(host: Host): Promise<StorageScheme> | StorageScheme;
  readonly backend?: Backend | undefined;
}

/** The contract of a storage scheme. That of its drivers is `checkStorageDriver`. */
export const checkStorageScheme = ({ make, backend }: SchemeUnderTest): Promise<CheckResult[]> =>
  inspect({
    'names the schemes that it opens': async () => {
      const { schemes } = await make(testHost({ backend }));
      const odd = schemes.find((name) => !/^[a-z][a-z0-9+.-]*$/.test(name));
      if (schemes.length === 0 || odd !== undefined)
        broken('schemes in small letters, without a colon', `"${odd ?? ''}"`);
    },
    'names the hosts where it works': async () => {
      const { hosts } = await make(testHost({ backend }));
      const odd = hosts.find((name) => name !== 'server' && name !== 'edge');
      if (hosts.length === 0 || odd !== undefined) broken('"server", "edge" or both', `"${odd ?? ''}"`);
    },
  });
