#include "console/ui/pages/try/photo_view.h"

#include "console/ui/shell/icons.h"
#include "console/ui/widgets/format.h"

#include <QBuffer>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFile>
#include <QGuiApplication>
#include <QImageReader>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>

namespace fremis::console::ui {

PhotoView::PhotoView(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    retranslate();
}

void PhotoView::retranslate() {
    setAccessibleName(m_bytes.isEmpty()
                          ? tr("Photo: none yet. Enter opens a file, Ctrl+V pastes.")
                          : tr("Photo, %1, %n face(s) found", "", int(m_faces.size())).arg(bytesText(m_bytes.size())));
    update();
}

QString PhotoView::setBytes(const QByteArray& bytes) {
    if (bytes.size() > kMostBytes)
        return tr("The file is larger than %1.").arg(bytesText(kMostBytes));
    QByteArray copy = bytes;
    QBuffer buffer(&copy);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    const QList<QByteArray> formats = {"jpeg", "jpg", "png", "webp", "bmp"};
    if (!formats.contains(reader.format()))
        return tr("This is no JPEG, PNG, WebP or BMP picture.");
    QImageReader::setAllocationLimit(kMostMegabytes);
    reader.setAutoTransform(true);
    const QImage image = reader.read();
    if (image.isNull())
        return tr("The picture cannot be read: %1").arg(reader.errorString());
    m_bytes = bytes;
    m_image = image;
    m_faces.clear();
    retranslate();
    Q_EMIT changed();
    return {};
}

void PhotoView::clear() {
    m_bytes.fill('\0');
    m_bytes.clear();
    m_image = {};
    m_faces.clear();
    retranslate();
    Q_EMIT changed();
}

void PhotoView::setFaces(std::vector<DetectedFace> faces) {
    m_faces = std::move(faces);
    retranslate();
}

QRectF PhotoView::pictureRect() const {
    const QSizeF size = QSizeF(m_image.size()).scaled(QSizeF(width() - 2, height() - 2), Qt::KeepAspectRatio);
    return {QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

void PhotoView::paintEvent(QPaintEvent*) {
    const ThemeColors& c = m_theme.colors();
    QPainter painter(this);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    painter.setPen(
        QPen(hasFocus() ? c.accent : c.line, hasFocus() ? 2 : 1, m_image.isNull() ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(c.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), space::kRadius, space::kRadius);
    if (m_image.isNull()) {
        painter.drawPixmap(width() / 2 - 18, height() / 2 - 28 - fontMetrics().height(),
                           iconPixmap(QStringLiteral("photo"), c.muted, 36, devicePixelRatioF()));
        painter.setPen(c.muted);
        painter.drawText(rect().adjusted(12, 20, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Drop a photo, paste one, or click to open"));
        return;
    }
    const QRectF area = pictureRect();
    painter.drawImage(area, m_image);
    const double scale = area.width() / m_image.width();
    for (const DetectedFace& face : m_faces) {
        const QRectF box(area.left() + face.box.left() * scale, area.top() + face.box.top() * scale,
                         face.box.width() * scale, face.box.height() * scale);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Qt::black, 4));
        painter.drawRect(box);
        painter.setPen(
            QPen(face.used ? QColor("#57D27C") : QColor("#F2B84B"), 2, face.used ? Qt::SolidLine : Qt::DashLine));
        painter.drawRect(box);
        const QString text =
            face.used ? tr("used %1", "face").arg(decimalText(face.score, 2)) : decimalText(face.score, 2);
        const QRectF plate(box.left(), box.bottom() + 2, fontMetrics().horizontalAdvance(text) + 8,
                           fontMetrics().height());
        painter.fillRect(plate, QColor(0, 0, 0, 190));
        painter.setPen(Qt::white);
        painter.drawText(plate, Qt::AlignCenter, text);
    }
}

void PhotoView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasImage() || event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void PhotoView::dropEvent(QDropEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        takeFile(urls.front().toLocalFile());
}

void PhotoView::takeFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Q_EMIT refused(file.errorString());
        return;
    }
    take(file.read(kMostBytes + 1));
}

void PhotoView::take(const QByteArray& bytes) {
    if (const QString why = setBytes(bytes); !why.isEmpty())
        Q_EMIT refused(why);
}

void PhotoView::paste() {
    const QImage image = QGuiApplication::clipboard()->image();
    if (image.isNull()) {
        Q_EMIT refused(tr("There is no picture on the clipboard."));
        return;
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    take(bytes);
}

void PhotoView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste))
        paste();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        Q_EMIT openAsked();
    else if (event->key() == Qt::Key_Delete)
        clear();
    else
        QWidget::keyPressEvent(event);
}

void PhotoView::mouseReleaseEvent(QMouseEvent*) {
    Q_EMIT openAsked();
}

} // namespace fremis::console::ui
