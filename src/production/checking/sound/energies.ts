/** Energies that are kept, of all channels together: two channels of six hours. */
export const mostEnergies = 12 * 36_000;

/** Decibels that the number 1 stands for. Zero is silence. */
const quietest = -150;

/** Energies as hundredths of a decibel above the quietest, in two bytes each, little endian. */
export function packedEnergies(energies: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(energies.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [at, energy] of energies.entries()) {
    const hundredths = energy > 0 ? Math.round(100 * (10 * Math.log10(energy) - quietest)) + 1 : 0;
    view.setUint16(at * 2, Math.min(65_535, Math.max(0, hundredths)), true);
  }
  return bytes;
}

/** The energies from one 100 ms to another. */
export function unpackedEnergies(bytes: Uint8Array, first: number, end: number): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = Math.min(first, bytes.byteLength / 2);
  const energies = new Float32Array(Math.max(0, Math.min(end, bytes.byteLength / 2) - from));
  for (let at = 0; at < energies.length; at++) {
    const hundredths = view.getUint16((from + at) * 2, true);
    if (hundredths > 0) energies[at] = 10 ** ((hundredths - 1) / 1000 + quietest / 10);
  }
  return energies;
}
