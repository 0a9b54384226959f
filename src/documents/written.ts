/** Entries of a list that give their text themselves, where to make a value of each would cost more than to write it. */
export abstract class Written {
  /** As they stand between the brackets of the list. */
  abstract json(): string;
  /** Each with its element. */
  abstract xml(): string;
}
