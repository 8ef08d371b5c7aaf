import type { Child } from 'hono/jsx';
import { Viewed } from '../../../src/dashboard/layout.tsx';
import { view as usual } from './samples.ts';

/** A page or a part of one, as somebody sees it. */
export const viewed = (page: Child, view = usual): Child => <Viewed view={view}>{page}</Viewed>;
