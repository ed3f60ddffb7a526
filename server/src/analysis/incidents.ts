import { absorbSymptoms } from "./incidents/absorb.ts";
import { expireAcks } from "./incidents/acks.ts";
import { type Advance, type Advanced, Book } from "./incidents/book.ts";
import { openCauses, updateCauses } from "./incidents/cause.ts";
import { dropRemoved, followClock, followRenames } from "./incidents/identity.ts";
import { recover } from "./incidents/recover.ts";
import { takeUndetermined } from "./incidents/undetermined.ts";
import { takeInvisible } from "./incidents/visibility.ts";

/**
 * One step in the life of all incidents: 1. what left the map ends; 2. known causes update or reopen theirs; 3. what
 * has cleared recovers and then resolves, on fresh evidence only; 4. new causes open theirs, and symptoms are absorbed;
 * 5. trouble without a cause, and lasting silence of what a system needs, get incidents of their own.
 */
export function advance(input: Advance): Advanced {
  const book = new Book(input);
  followRenames(book);
  followClock(book);
  dropRemoved(book);
  const byCause = updateCauses(book);
  recover(book, byCause);
  openCauses(book, byCause);
  absorbSymptoms(book, byCause);
  takeUndetermined(book);
  takeInvisible(book);
  expireAcks(book);
  return book.close();
}
