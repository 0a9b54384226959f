import type { FileState } from '../../events/payloads.ts';

export interface FileSource {
  readonly of: 'file';
  readonly storage: string;
}

export function compileFile({ storage }: FileSource): (file: FileState) => boolean {
  return (file) => file.storageId === storage;
}
