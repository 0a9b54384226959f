import { pathToFileURL } from 'node:url';
import { programVersion } from '../../../core/lib/version.ts';
import type { Host, Plugin, StorageDriver, StorageScheme } from '../../../spi/index.ts';
import { DriverError, type SendfileSettings, type StorageSettings, sendfileHeader } from '../../../storage/public.ts';
import { createFileDriver } from './driver.ts';
import { FolderThreads } from './folder-threads.ts';
import { makeFolder } from './place-folder.ts';
import {
  addressDefect,
  closedOf,
  exportFolder,
  folderOfUri,
  isBelow,
  type RootSettings,
  rootsFor,
  rootsOf,
} from './roots.ts';

type FileStorageSettings = RootSettings & Pick<StorageSettings, 'minFreeBytes'> & Partial<SendfileSettings>;

export function fileScheme(settings: FileStorageSettings, { randomBytes }: Pick<Host, 'randomBytes'>): StorageScheme {
  const roots = rootsOf(settings);
  const { minFreeBytes, sendfile = 'off', sendfileLocations = [] } = settings;
  const threads = new FolderThreads();
  const forExports = new Map<string, StorageDriver>();
  return {
    schemes: ['file'],
    hosts: ['server'],
    defect: ({ uri }) => addressDefect(uri),
    proposals: () => roots.folders.map((folder) => `${pathToFileURL(folder)}/`),
    async prepare({ uri }) {
      const place = folderOfUri(uri);
      const { own } = roots;
      if ('defect' in place || own === undefined || !isBelow(own, place.folder)) return;
      await makeFolder(own, roots, place.folder);
    },
    closed: ({ uri }, use = 'storage') => closedOf(uri, rootsFor(use, settings)),
    open({ uri }, use = 'storage') {
      const place = folderOfUri(uri);
      if ('defect' in place) throw new DriverError('offline', place.defect);
      return createFileDriver({
        folder: place.folder,
        roots: rootsFor(use, settings),
        minFreeBytes,
        threads,
        randomBytes,
        ...(sendfile !== 'off' && { sendfileHeader: (path) => sendfileHeader({ sendfile, sendfileLocations }, path) }),
      });
    },
    exportPlace(folder) {
      const place = exportFolder(folder, roots, settings);
      if ('defect' in place) return place;
      const { root, path } = place;
      const opened = forExports.get(root);
      const driver =
        opened ?? createFileDriver({ folder: root, roots: place.roots, minFreeBytes, threads, randomBytes });
      forExports.set(root, driver);
      return { driver, path };
    },
    close: () => threads.close(),
  };
}

/** Plugins with components for servers only. The edge runtime has no files. */
export const hostPlugins = (settings: FileStorageSettings): readonly Plugin[] => [
  {
    name: 'portico-files',
    version: programVersion,
    contract: 1,
    storages: {
      'portico.FileStorage': {
        says: 'Opens folders of this machine. Methods: file:///srv/media/.',
        create: (_properties, host) => fileScheme(settings, host),
      },
    },
  },
];
