import './style/layers.css';
import './pages/library/page.css';
import './start.tsx';
