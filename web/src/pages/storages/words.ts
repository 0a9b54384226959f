import { type Key, t } from '../../texts/index.ts';

const states = ['NONE', 'READY', 'OFFLINE', 'FAILED', 'DISABLED', 'EVACUATING', 'EVACUATED'];
export const storageWords = (state = 'NONE'): string =>
  states.includes(state) ? t(`storage.state.${state}` as Key) : state;

/** An address as people read it: a folder of this machine is a path, and others lose how their names are encoded. */
export function placeWords(uri: string): string {
  const readable = uri.replace(/^file:\/\/(?=\/)/, '').replace(/^([\w+.-]+:\/\/)[^/@]*@/, '$1');
  try {
    return decodeURI(readable);
  } catch {
    return readable;
  }
}

const fileStates = ['OPEN', 'CLOSED', 'UNKNOWN', 'MISSING', 'LOST', 'TO_APPEAR', 'TO_BE_DELETED', 'BEING_READ'];
export const fileStateWords = (state = 'CLOSED'): string =>
  fileStates.includes(state) ? t(`storage.file.${state}` as Key) : state;
