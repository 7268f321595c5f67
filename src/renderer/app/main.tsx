import './zodWithoutCode.ts';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/source-serif-4/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import '../ui/base.css';
import '../ui/utilities.css';
import '../ui/parts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider, openQueries } from '../api/ApiContext.tsx';
import { electronHost, findBridge } from '../api/electronHost.ts';
import { loopbackHost } from '../api/loopbackHost.ts';
import { openSession } from '../api/session.ts';
import { Admitted } from './Admitted.tsx';
import { App } from './App.tsx';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no element root');
const bridge = findBridge(window);
const host = bridge === null ? loopbackHost(window) : electronHost(bridge, window);
const session = openSession(host);

createRoot(place).render(
  <StrictMode>
    <ApiProvider host={host} session={session} queries={openQueries()}>
      <Admitted>
        <App />
      </Admitted>
    </ApiProvider>
  </StrictMode>,
);
