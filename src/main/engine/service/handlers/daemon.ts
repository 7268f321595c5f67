import { badInput } from '../../../../shared/errors.ts';
import { os } from '../os.ts';

const notYet = badInput('this is not built yet');

export const daemon = {
  status: os.daemon.status.handler(() => {
    throw notYet;
  }),
  watch: os.daemon.watch.handler(() => {
    throw notYet;
  }),
  start: os.daemon.start.handler(() => {
    throw notYet;
  }),
  stop: os.daemon.stop.handler(() => {
    throw notYet;
  }),
};
