import { measureWithShipped, probeWithShipped } from '../../../composition/shipped-probers.ts';
import type { MediaSource, ProbeOptions } from '../../../spi/index.ts';
import { convertCall, cutCall, encodersCall, stillsCall } from './library-calls.ts';
import { type ProberDescription, proberFrom } from './plugin-probers.ts';

/** Function of a media process, called by name. Input and result are sent as JSON. */
type Call = (source: MediaSource, input: never, tell: (progress: unknown) => void) => Promise<unknown>;

/** Never aborted: the process is killed if a call must end early. */
const endless = new AbortController().signal;

interface ProbeInput extends Pick<ProbeOptions, 'maxBytes'> {
  /** Whether the service leaves out the shipped probers. */
  readonly leavesOut?: boolean;
  /** Probers of plugins. */
  readonly probers: readonly ProberDescription[];
}

export const calls: Readonly<Record<string, Call>> = {
  probe: async (source, { probers, ...asked }: ProbeInput) =>
    probeWithShipped(source, { ...asked, signal: endless }, await Promise.all(probers.map(proberFrom))),
  sound: async (source, _input, tell) => {
    const { channels, ...measured } = await measureWithShipped(source, { signal: endless }, tell);
    const sent = channels.map(({ levels, energies, ...each }) => ({
      ...each,
      levels: Buffer.from(levels).toString('base64'),
      energies: Buffer.from(energies).toString('base64'),
    }));
    return { ...measured, channels: sent };
  },
  encoders: encodersCall,
  convert: convertCall,
  cut: cutCall,
  stills: stillsCall,
};
