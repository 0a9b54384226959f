import { type Key, t } from '../../texts/index.ts';

const states = ['NONE', 'READY', 'OFFLINE', 'FAILED', 'DISABLED', 'EVACUATING', 'EVACUATED'];
export const storageWords = (state = 'NONE'): string =>
  states.includes(state) ? t(`storage.state.${state}` as Key) : state;

const fileStates = ['OPEN', 'CLOSED', 'UNKNOWN', 'MISSING', 'LOST', 'TO_APPEAR', 'TO_BE_DELETED', 'BEING_READ'];
export const fileStateWords = (state = 'CLOSED'): string =>
  fileStates.includes(state) ? t(`storage.file.${state}` as Key) : state;
