import './styles.ts';
import './icon.svg';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readPanelConfig } from './panel-config.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no root element');
createRoot(root).render(<App config={readPanelConfig(root)} />);
