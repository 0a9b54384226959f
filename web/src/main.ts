import './style/layers.css';
import './pages/library/library.css';
import './start.tsx';
