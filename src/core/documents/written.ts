/** Entries of a list that give their text themselves, where to make a value of each would cost more than to write it. */
export abstract class Written {
  /** JSON as it stands between the brackets of the list. */
  abstract json(): string;
  /** XML of each entry with its element. */
  abstract xml(): string;
}
